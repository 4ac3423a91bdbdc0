import { assert, assertEquals, assertFalse, assertRejects } from "@std/assert";
import type { Bytes } from "../../base/encoding.ts";
import { openKv, StoreUnavailableError } from "../kv/mod.ts";
import { limitKv } from "../kv/testing/limited_kv.ts";
import { tempKv, valuesOf } from "../kv/testing/temp_kv.ts";
import { createSecrets } from "../secrets.ts";
import { SEAL_BYTES } from "../../base/secrets.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { CLAIM_MS, heldOf, type LostMessage, MAX_PAYLOAD_BYTES, type Queued } from "./messages.ts";
import { readDeliveries } from "./deliveries.ts";
import {
  createOutbox,
  type Delivery,
  type Outbox,
  type OutboxOptions,
  RETRY_MS,
  SETTLING_MS,
} from "./outbox.ts";
import { type DeadLetter, forgetDeliveries, type OutboxRow, readOutbox } from "./outbox_rows.ts";

const START = Date.now();
const SENT: Delivery = { ok: true };
const failure = (error: string, permanent = false): Delivery => ({ ok: false, error, permanent });
const secret = (fill: number) => new Uint8Array(32).fill(fill);

interface Setup {
  outbox: Outbox<string>;
  clock: { now: number };
  delivered: string[];
  /** The failures, as reason, attempt and delay. */
  failures: [string, number, number | null][];
  /** The messages that were given up. */
  lost: LostMessage[];
  /** Commits payloads without sending them, like a process that dies after the commit. */
  add(...payloads: string[]): Promise<Queued<string>[]>;
  /** Commits payloads and sends them. */
  post(...payloads: string[]): Promise<void>;
}

/** Creates an outbox whose deliveries have the result that `result` returns; `sent` by default. */
function setup(
  kv: Deno.Kv,
  {
    result = () => SENT,
    given = [secret(1)],
    clock = { now: START },
    channel = "mail",
    keepLost = false,
    pause,
    ...options
  }: Pick<OutboxOptions<string>, "retryMs" | "jitter" | "slots"> & {
    result?: (payload: string) => Delivery<string> | Promise<Delivery<string>>;
    given?: Bytes[];
    clock?: { now: number };
    channel?: string;
    /** Adds the messages that were given up to the store. */
    keepLost?: boolean;
    pause?: (ms: number) => Promise<void>;
  } = {},
): Setup {
  const delivered: string[] = [];
  const failures: Setup["failures"] = [];
  const lost: Setup["lost"] = [];
  const outbox = createOutbox<string>({
    kv,
    secrets: createSecrets({ kv, given }),
    channel,
    async deliver(payload) {
      delivered.push(payload);
      return await result(payload);
    },
    onFailure: ({ reason, attempt, retryMs }) => void failures.push([reason, attempt, retryMs]),
    addToLoss(commit, message) {
      if (keepLost) commit.set(["lost", message.id], message);
      lost.push(message);
    },
    clock: () => clock.now,
    pause,
    ...options,
  });
  const add: Setup["add"] = async (...payloads) => {
    const commit = kv.atomic();
    const expiresAt = clock.now + 7 * DAY_MS;
    const options = { expiresAt, about: "user/7", labels: { kind: "test" } };
    const queued = await Promise.all(payloads.map((each) => outbox.add(commit, each, options)));
    await commit.commit();
    return queued;
  };
  return {
    outbox,
    clock,
    delivered,
    failures,
    lost,
    add,
    async post(...payloads) {
      outbox.send(await add(...payloads));
      await outbox.flush();
    },
  };
}

Deno.test("a committed message is sent once and deleted", async () => {
  using kv = await openKv(":memory:");
  const { outbox, post, delivered, clock } = setup(kv);
  await post("one", "other");
  clock.now += CLAIM_MS;
  assertEquals(await outbox.drain(), { sent: 0, failed: 0 });
  assertEquals(delivered, ["one", "other"]);
  assertEquals(await valuesOf(kv), []);
});

for (
  const [hangs, result, ended] of [
    ["20 seconds", SENT, ["one"]],
    ["20 seconds", failure("refused", true), ["one"]],
    ["longer than the claim", SENT, ["one", "one"]],
  ] as const
) {
  Deno.test(`a store that hangs for ${hangs} after a delivery with ${Deno.inspect(result)} leads to deliveries ${ended}`, async () => {
    using kv = await openKv(":memory:");
    const clock = { now: START };
    const respondsAt = START + (hangs === "20 seconds" ? 20_000 : CLAIM_MS);
    const atomic = kv.atomic.bind(kv);
    let hanging = false;
    kv.atomic = () => {
      if (hanging && clock.now < respondsAt) {
        throw new StoreUnavailableError("commit outbox", "unknown");
      }
      return atomic();
    };
    const { outbox, post, delivered } = setup(kv, {
      clock,
      result: () => {
        hanging = true;
        return result;
      },
      pause: (ms) => Promise.resolve(void (clock.now += ms)),
    });
    await post("one");
    clock.now = START + CLAIM_MS;
    await outbox.drain();
    assertEquals(delivered, ended);
    assertEquals(await valuesOf(kv, "outbox"), []);
  });
}

/** Commits a message that is held for ten seconds. */
async function hold(kv: Deno.Kv, { outbox, clock }: Setup) {
  const commit = kv.atomic();
  const options = { expiresAt: clock.now + DAY_MS, about: "contact/1", tracked: true };
  const queued = await outbox.add(commit, "held", { ...options, holdMs: 10_000 });
  await commit.commit();
  outbox.send([queued]);
  return heldOf(queued);
}

Deno.test("a held message is sent after its time, and can then not be recalled", async () => {
  using kv = await openKv(":memory:");
  const fixture = setup(kv);
  const { outbox, clock, delivered } = fixture;
  const held = await hold(kv, fixture);
  await outbox.flush();
  clock.now += 9_999;
  assertEquals(await outbox.drain(), { sent: 0, failed: 0 });
  clock.now += 1;
  assertFalse(await outbox.recall(kv.atomic(), [held])); // due, but not sent yet
  assertEquals(await outbox.drain(), { sent: 1, failed: 0 });
  assertFalse(await outbox.recall(kv.atomic(), [held]));
  assertEquals(delivered, ["held"]);
  const [{ state }] = await readDeliveries(kv, "contact/1", clock.now);
  assertEquals(state, "sent");
});

Deno.test("a recalled message is never sent, and leaves nothing", async () => {
  using kv = await openKv(":memory:");
  const fixture = setup(kv);
  const { outbox, clock, delivered } = fixture;
  const held = await hold(kv, fixture);
  const commit = kv.atomic();
  assert(await outbox.recall(commit, [held]));
  assert((await commit.commit()).ok);
  assertEquals(await valuesOf(kv), []);
  clock.now += 10_000;
  await outbox.drain();
  assertEquals(delivered, []);
});

Deno.test("if a process whose clock is ahead takes a held message, the commit that recalls it fails", async () => {
  using kv = await openKv(":memory:");
  const fixture = setup(kv);
  const ahead = setup(kv, { clock: { now: START + 10_000 } });
  const held = await hold(kv, fixture);
  const commit = kv.atomic();
  assert(await fixture.outbox.recall(commit, [held]));
  assertEquals(await ahead.outbox.drain(), { sent: 1, failed: 0 });
  assertFalse((await commit.commit()).ok);
  assertFalse(await fixture.outbox.recall(kv.atomic(), [held]));
});

Deno.test("a held message that fails is retried like any other", async () => {
  using kv = await openKv(":memory:");
  const fixture = setup(kv, { result: () => failure("timeout") });
  await hold(kv, fixture);
  fixture.clock.now += 10_000;
  await fixture.outbox.drain();
  assertEquals(fixture.failures, [["timeout", 1, MINUTE_MS]]);
});

Deno.test("a commit that fails sends nothing", async () => {
  using kv = await openKv(":memory:");
  const { outbox, delivered, clock } = setup(kv);
  const commit = kv.atomic().check({ key: ["taken"], versionstamp: "00000000000000000001" });
  await outbox.add(commit, "payload", { expiresAt: START + DAY_MS, about: "" });
  assertFalse((await commit.commit()).ok);
  clock.now += CLAIM_MS;
  await outbox.drain();
  assertEquals(delivered, []);
});

Deno.test("if a process dies after the commit, another process sends the message when the claim expires", async () => {
  using kv = await openKv(":memory:");
  const clock = { now: START };
  await setup(kv, { clock }).add("payload");
  const { outbox, delivered } = setup(kv, { clock });
  clock.now += CLAIM_MS - 1;
  assertEquals(await outbox.drain(), { sent: 0, failed: 0 });
  clock.now += 1;
  assertEquals(await outbox.drain(), { sent: 1, failed: 0 });
  assertEquals(delivered, ["payload"]);
});

Deno.test("if a process dies while sending, the message is sent again when the claim expires", async () => {
  using kv = await openKv(":memory:");
  const clock = { now: START };
  const hung = setup(kv, { clock, result: () => new Promise(() => {}) });
  hung.outbox.send(await hung.add("payload"));
  const { outbox, delivered } = setup(kv, { clock });
  assertEquals(await outbox.drain(), { sent: 0, failed: 0 });
  clock.now += CLAIM_MS;
  assertEquals(await outbox.drain(), { sent: 1, failed: 0 });
  assertEquals([hung.delivered, delivered], [["payload"], ["payload"]]);
});

Deno.test("a process retries the interrupted deliveries of others after ten seconds, and failed ones at once", async () => {
  using kv = await openKv(":memory:");
  const clock = { now: START };
  const died = setup(kv, { clock, result: () => failure("timeout") });
  await died.add("interrupted");
  await died.post("failed");
  clock.now += CLAIM_MS;
  const { outbox, delivered } = setup(kv, { clock });
  await outbox.drain();
  assertEquals(delivered, ["failed"]);
  clock.now += SETTLING_MS - 1;
  await outbox.drain();
  assertEquals(delivered, ["failed"]);
  clock.now += 1;
  await outbox.drain();
  assertEquals(delivered, ["failed", "interrupted"]);
});

Deno.test("ten failures are retried after a minute to a day each, then leave a dead letter until the expiry", async () => {
  using kv = await openKv(":memory:");
  const { outbox, post, failures, clock } = setup(kv, { result: () => failure("timeout") });
  await post("payload");
  for (const wait of RETRY_MS) {
    clock.now += wait - 1;
    assertEquals(await outbox.drain(), { sent: 0, failed: 0 });
    clock.now += 1;
    assertEquals(await outbox.drain(), { sent: 0, failed: 1 });
  }
  assertEquals(failures, [...RETRY_MS, null].map((wait, i) => ["timeout", i + 1, wait]));
  assertEquals(RETRY_MS.slice(0, 4), [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS));
  assertEquals(await valuesOf(kv, "outbox"), []);
  const [{ sealed, ...letter }, ...others] = await valuesOf<DeadLetter>(kv, "outbox_dead");
  assertEquals(sealed?.length, '"payload"'.length + SEAL_BYTES);
  assertEquals([letter, ...others], [{
    reason: "timeout",
    attempts: 10,
    created_at: new Date(START).toISOString(),
    failed_at: new Date(clock.now).toISOString(),
    expires_at: new Date(START + 7 * DAY_MS).toISOString(),
    about: "user/7",
    labels: { kind: "test" },
  }]);
  const dead = async () => (await readOutbox(kv, "mail", clock.now)).dead;
  assertEquals(await dead(), 1);
  clock.now = START + 7 * DAY_MS;
  assertEquals(await dead(), 0);
});

Deno.test("an outbox has its own delays, each shorter or longer by up to a share", async () => {
  using kv = await openKv(":memory:");
  const retryMs = [MINUTE_MS, DAY_MS];
  const result = () => failure("timeout");
  const { outbox, post, failures, clock } = setup(kv, { result, retryMs, jitter: 0.1 });
  await post(...Array.from({ length: 20 }, (_, i) => `message ${i}`));
  for (const wait of retryMs) {
    clock.now += 1.1 * wait;
    await outbox.drain();
  }
  for (const [i, wait] of retryMs.entries()) {
    const delays = failures.filter(([, attempt]) => attempt === i + 1).map(([, , ms]) => ms!);
    assertEquals(delays.length, 20);
    assert(delays.every((ms) => ms >= 0.9 * wait && ms <= 1.1 * wait), `${delays}`);
    assert(new Set(delays).size > 10, `${delays}`);
  }
  const last = failures.filter(([, attempt]) => attempt === 3);
  assertEquals(last, Array(20).fill(["timeout", 3, null]));
});

Deno.test("a group with more due messages than a page does not delay the messages of other groups", async () => {
  using kv = await openKv(":memory:");
  const slow = Promise.withResolvers<void>();
  const other = Promise.withResolvers<void>();
  const { outbox, clock } = setup(kv, {
    async result(payload) {
      if (payload === "other") other.resolve();
      else await slow.promise;
      return SENT;
    },
  });
  for (const payload of [...Array(60).keys().map(String), "other"]) {
    const commit = kv.atomic();
    const options = {
      expiresAt: START + DAY_MS,
      about: "",
      group: payload === "other" ? "b" : "a",
    };
    await outbox.add(commit, payload, options);
    await commit.commit();
    clock.now++; // so that they are due in this order
  }
  clock.now += CLAIM_MS;
  const draining = outbox.drain();
  await other.promise; // while the first message of the other group hangs
  slow.resolve();
  assertEquals(await draining, { sent: 61, failed: 0 });
});

Deno.test("countDue() counts the messages of one owner that are being sent or due", async () => {
  using kv = await openKv(":memory:");
  const { outbox, post, add, clock } = setup(kv, { result: () => failure("timeout") });
  await post("waits for another attempt");
  await add("being sent", "being sent too");
  const other = kv.atomic();
  await outbox.add(other, "other", { expiresAt: START + DAY_MS, about: "user/8" });
  await other.commit();
  assertEquals(await outbox.countDue("user/7", 100), 3); // an attempt within the time of a claim counts
  clock.now -= CLAIM_MS;
  assertEquals(await outbox.countDue("user/7", 100), 0);
  clock.now += CLAIM_MS;
  assertEquals(await outbox.countDue("user/7", 2), 2);
  assertEquals(await outbox.countDue("user/8", 100), 1);
});

Deno.test("a message that is delivered after failures is deleted", async () => {
  using kv = await openKv(":memory:");
  let attempts = 0;
  const { outbox, post, clock } = setup(kv, {
    result: () => ++attempts < 3 ? failure("timeout") : SENT,
  });
  await post("payload");
  for (const wait of RETRY_MS) {
    clock.now += wait;
    await outbox.drain();
  }
  assertEquals(attempts, 3);
  assertEquals(await valuesOf(kv), []);
});

Deno.test("a permanent failure immediately leaves a dead letter without the payload", async () => {
  using kv = await openKv(":memory:");
  const result = () => failure("recipient_refused", true);
  const { outbox, post, failures, clock } = setup(kv, { result });
  await post("payload");
  clock.now += DAY_MS;
  assertEquals(await outbox.drain(), { sent: 0, failed: 0 });
  assertEquals(failures, [["recipient_refused", 1, null]]);
  const { dead, waiting, reasons } = await readOutbox(kv, "mail", clock.now);
  assertEquals([dead, waiting, reasons], [1, 0, { recipient_refused: 1 }]);
  const [letter] = await valuesOf<object>(kv, "outbox_dead");
  assertFalse("sealed" in letter);
});

Deno.test("the commit that gives a message up receives the message and the reason", async () => {
  using kv = await openKv(":memory:");
  let error = "timeout";
  const { outbox, add, post, lost, clock } = setup(kv, {
    result: () => failure(error, error !== "timeout"),
    keepLost: true,
  });
  await post("retried");
  assertEquals(lost, []);
  error = "recipient_refused";
  await post("refused");
  await add("expired");
  clock.now += 7 * DAY_MS;
  await outbox.drain();
  const about = { about: "user/7", labels: { kind: "test" } };
  assertEquals(lost.map(({ id: _, ...message }) => message), [
    { reason: "recipient_refused", ...about },
    { reason: "expired", ...about },
    { reason: "expired", ...about },
  ]);
  const stored = await valuesOf<LostMessage>(kv, "lost");
  assertEquals(stored.map(({ id }) => id).sort(), lost.map(({ id }) => id).sort());
});

Deno.test("sendAgain() sends a lost message once, with the same id and all its retries", async () => {
  using kv = await openKv(":memory:");
  let broken = true;
  const { outbox, post, lost, delivered, clock } = setup(kv, {
    result: () => broken ? failure("timeout") : SENT,
  });
  await post("payload");
  for (const wait of RETRY_MS) {
    clock.now += wait;
    await outbox.drain();
  }
  const [{ id }] = lost;
  assertEquals(await outbox.findLost(["unknown", id]), new Set([id]));
  const attempts = delivered.length;
  const add = (commit: Deno.AtomicOperation) => void commit.sum(["again"], 1n);
  const again = await Promise.all(Array.from({ length: 20 }, () => outbox.sendAgain(id, add)));
  await outbox.flush();
  assertEquals(again.filter(Boolean).length, 1);
  assertEquals((await kv.get<Deno.KvU64>(["again"])).value?.value, 1n);
  assertEquals(delivered.length, attempts + 1);
  assertEquals(await outbox.findLost([id]), new Set());
  const [row] = await valuesOf<OutboxRow>(kv, "outbox");
  assertEquals([row.attempts, row.sending, row.about], [1, false, "user/7"]);

  broken = false;
  clock.now += RETRY_MS[0];
  assertEquals(await outbox.drain(), { sent: 1, failed: 0 });
  assertEquals(await outbox.sendAgain(id, add), false);
});

Deno.test("a message can’t be sent again after a permanent failure or its expiry", async () => {
  using kv = await openKv(":memory:");
  let permanent = true;
  const { outbox, post, lost, clock } = setup(kv, { result: () => failure("no", permanent) });
  await post("refused");
  permanent = false;
  await post("retried");
  for (const wait of RETRY_MS) {
    clock.now += wait;
    await outbox.drain();
  }
  const [refused, retried] = lost.map(({ id }) => id);
  assertEquals(await outbox.findLost([refused, retried]), new Set([retried]));
  assertEquals(await outbox.sendAgain(refused), false);
  clock.now = START + 7 * DAY_MS;
  assertEquals(await outbox.findLost([retried]), new Set());
  assertEquals(await outbox.sendAgain(retried), false);
});

Deno.test("a failure is final if the retry would come after the expiry", async () => {
  using kv = await openKv(":memory:");
  const { outbox, failures, clock } = setup(kv, { result: () => failure("timeout") });
  const commit = kv.atomic();
  const expiresAt = START + 15 * MINUTE_MS;
  const queued = [await outbox.add(commit, "link", { expiresAt, about: "" })];
  await commit.commit();
  outbox.send(queued);
  await outbox.flush();
  for (const wait of [MINUTE_MS, 5 * MINUTE_MS]) {
    clock.now += wait;
    await outbox.drain();
  }
  assertEquals(failures.map(([, , wait]) => wait), [MINUTE_MS, 5 * MINUTE_MS, null]);
  assertEquals((await readOutbox(kv, "mail", clock.now)).dead, 1);
});

Deno.test("an expired message, which the store keeps a day longer, is deleted and counted as failed, but not sent", async () => {
  const kept: (number | undefined)[] = [];
  using kv = limitKv(await openKv(":memory:"), (_, set) => set && kept.push(set.expireIn));
  const { outbox, add, delivered, failures, clock } = setup(kv);
  await add("payload");
  assertEquals(kept, [8 * DAY_MS, 8 * DAY_MS]); // the row and its index
  clock.now += 7 * DAY_MS;
  assertEquals(await outbox.drain(), { sent: 0, failed: 1 });
  assertEquals([delivered, failures], [[], [["expired", 1, null]]]);
  assertEquals(await valuesOf(kv), []);
});

Deno.test("a delivery is abandoned after ten processes died during it", async () => {
  using kv = await openKv(":memory:");
  const clock = { now: START };
  await setup(kv, { clock }).add("payload");
  for (let i = 1; i < 10; i++) {
    const dying = new AbortController();
    const { outbox } = setup(kv, {
      clock,
      result() {
        dying.abort(); // ends the drain, but not the delivery
        return new Promise(() => {});
      },
    });
    clock.now += CLAIM_MS;
    await outbox.drain(dying.signal);
    assertEquals((await valuesOf<OutboxRow>(kv, "outbox"))[0].attempts, i + 1);
  }
  const { outbox, failures, delivered } = setup(kv, { clock });
  clock.now += CLAIM_MS;
  assertEquals(await outbox.drain(), { sent: 0, failed: 1 });
  assertEquals([failures, delivered], [[["interrupted", 10, null]], []]);
});

Deno.test("a delivery that rejects is retried like any other failure", async () => {
  using kv = await openKv(":memory:");
  const { post, failures } = setup(kv, { result: () => Promise.reject(new Error("secret")) });
  await post("payload");
  assertEquals(failures, [["unexpected", 1, MINUTE_MS]]);
});

Deno.test("a process whose claim has expired neither sends nor changes a row that another one has claimed", async () => {
  using kv = await openKv(":memory:");
  const clock = { now: START };
  const held = Promise.withResolvers<Delivery>();
  const slow = setup(kv, { clock, result: () => held.promise });
  const [first, second] = await slow.add("first", "second");
  slow.outbox.send([first]);
  const other = setup(kv, { clock, result: () => failure("timeout") });
  clock.now += CLAIM_MS;
  slow.outbox.send([second]); // too late to finish before the claim expires
  assertEquals(await other.outbox.drain(), { sent: 0, failed: 2 });
  held.resolve(failure("recipient_refused", true));
  await slow.outbox.flush();
  assertEquals(slow.delivered, ["first"]);
  const { waiting, dead } = await readOutbox(kv, "mail", clock.now);
  assertEquals([waiting, dead], [2, 0]);
});

Deno.test("two handles on one file that drain 120 rows concurrently send each row once", async () => {
  await using store = await tempKv();
  using second = await openKv(store.path);
  const clock = { now: START };
  const [one, other] = [setup(store.kv, { clock }), setup(second, { clock })];
  const payloads = Array.from({ length: 120 }, (_, i) => `${i}`);
  await one.add(...payloads);
  clock.now += CLAIM_MS;
  const results = await Promise.all([one.outbox.drain(), other.outbox.drain()]);
  assertEquals(results.reduce((sum, { sent }) => sum + sent, 0), 120);
  assertEquals([...one.delivered, ...other.delivered].toSorted(), payloads.toSorted());
  assertEquals(await valuesOf(store.kv), []);
});

Deno.test("drain() returns when its signal aborts, starts no further delivery and leaves the rest", async () => {
  using kv = await openKv(":memory:");
  const controller = new AbortController();
  const held = Promise.withResolvers<Delivery>();
  const { outbox, add, delivered, clock } = setup(kv, {
    result: () => {
      controller.abort();
      return held.promise;
    },
  });
  await add(...Array.from({ length: 60 }, (_, i) => `${i}`));
  clock.now += CLAIM_MS;
  assertEquals(await outbox.drain(controller.signal), { sent: 0, failed: 0 });
  held.resolve(SENT);
  await outbox.flush();
  assert(delivered.length >= 1 && delivered.length < 10, `${delivered.length}`);
  const { waiting } = await readOutbox(kv, "mail", clock.now);
  assertEquals(waiting, 60 - delivered.length);
});

Deno.test("a stored payload cannot be read without the secret, nor moved to another row", async () => {
  using kv = await openKv(":memory:");
  const { outbox, add, delivered, failures, clock } = setup(kv);
  const payload = "ada@example.org https://site.example/auth/verify?token=pJ-3_0aGq9mX";
  await add(payload, "another");
  const rows = await Array.fromAsync(kv.list<OutboxRow>({ prefix: ["outbox"] }));
  for (const { key, value } of rows) {
    const text = JSON.stringify(key) + Deno.inspect(value) +
      new TextDecoder("latin1").decode(value.sealed);
    for (const part of ["ada@", "example", "token", "pJ-3_0aG"]) assertFalse(text.includes(part));
  }
  const [one, other] = rows;
  await kv.set(one.key, { ...one.value, sealed: other.value.sealed });
  clock.now += CLAIM_MS;
  assertEquals(await outbox.drain(), { sent: 1, failed: 1 });
  assertEquals(delivered.length, 1);
  assertEquals(failures, [["not_decrypted", 2, null]]);
});

Deno.test("a rotated secret still decrypts queued messages, and a removed one leaves a dead letter", async () => {
  using kv = await openKv(":memory:");
  const clock = { now: START };
  await setup(kv, { clock, given: [secret(1)] }).add("old");
  const rotated = setup(kv, { clock, given: [secret(2), secret(1)] });
  clock.now += CLAIM_MS;
  await rotated.outbox.drain();
  assertEquals(rotated.delivered, ["old"]);

  await setup(kv, { clock, given: [secret(1)] }).add("older");
  const removed = setup(kv, { clock, given: [secret(2)] });
  clock.now += CLAIM_MS;
  assertEquals(await removed.outbox.drain(), { sent: 0, failed: 1 });
  assertEquals(removed.failures, [["not_decrypted", 2, null]]);
  assertEquals((await readOutbox(kv, "mail", clock.now)).reasons, { not_decrypted: 1 });
});

Deno.test("the longest payload fits in the store, and a longer one is rejected", async () => {
  using kv = await openKv(":memory:");
  const { post, add, delivered } = setup(kv);
  const longest = "a".repeat(MAX_PAYLOAD_BYTES - SEAL_BYTES - 2);
  await post(longest);
  assertEquals(delivered, [longest]);
  await assertRejects(() => add(longest + "a"), RangeError);
});

Deno.test("forgetDeliveries() erases the queued messages and dead letters of only one person", async () => {
  using kv = await openKv(":memory:");
  const { outbox, add, post, clock, delivered } = setup(kv, {
    result: () => failure("refused", true),
  });
  await post("dead");
  await add("waiting");
  const commit = kv.atomic();
  await outbox.add(commit, "another's", { expiresAt: START + DAY_MS, about: "user/70" });
  await commit.commit();
  await forgetDeliveries(kv, "user/7");
  const { waiting, dead } = await readOutbox(kv, "mail", clock.now);
  assertEquals([waiting, dead], [1, 0]);
  clock.now += CLAIM_MS;
  await outbox.drain();
  assertEquals(delivered, ["dead", "another's"]);
});

Deno.test("channels are separate", async () => {
  using kv = await openKv(":memory:");
  const clock = { now: START };
  const [mail, push] = ["mail", "push"].map((channel) => setup(kv, { clock, channel }));
  await mail.add("a mail");
  clock.now += CLAIM_MS;
  assertEquals(await push.outbox.drain(), { sent: 0, failed: 0 });
  assertEquals(await mail.outbox.drain(), { sent: 1, failed: 0 });
});

Deno.test("messages that replace a delivered one are committed with its deletion, and sent", async () => {
  using kv = await openKv(":memory:");
  const options = { expiresAt: START + DAY_MS, about: "user/7" };
  const next = ["a", "b"].map((payload) => ({ payload, ...options }));
  const rows: number[] = [];
  const { post, delivered } = setup(kv, {
    result: async (payload) => {
      rows.push((await valuesOf(kv)).length);
      return payload === "all" ? { ok: true, next } : SENT;
    },
  });
  await post("all");
  assertEquals(delivered, ["all", "a", "b"]);
  assertEquals(rows.slice(0, 2), [2, 4], "each with its index");
  assertEquals(await valuesOf(kv), []);
});

Deno.test("a message that was erased while it was delivered has no successors", async () => {
  using kv = await openKv(":memory:");
  const options = { expiresAt: START + DAY_MS, about: "user/7" };
  const { post, delivered } = setup(kv, {
    async result() {
      await forgetDeliveries(kv, "user/7");
      return { ok: true, next: [{ payload: "a", ...options }] };
    },
  });
  await post("all");
  assertEquals(delivered, ["all"]);
  assertEquals(await valuesOf(kv), []);
});

Deno.test("a postponed message is neither counted nor reported, unless it expires first", async () => {
  using kv = await openKv(":memory:");
  const { outbox, post, failures, delivered, clock } = setup(kv, {
    result: () => ({ ok: false, error: "later", postponeMs: 2 * DAY_MS }),
  });
  await post("payload");
  clock.now += 2 * DAY_MS - 1;
  await outbox.drain();
  assertEquals(delivered.length, 1);
  for (const wait of [1, 2 * DAY_MS, 2 * DAY_MS]) {
    assertEquals(failures, []);
    clock.now += wait;
    assertEquals(await outbox.drain(), { sent: 0, failed: 0 });
  }
  assertEquals(delivered.length, 4);
  assertEquals(failures, [["later", 1, null]]);
});

Deno.test("a message that is postponed after a failed attempt keeps the number of its attempts", async () => {
  using kv = await openKv(":memory:");
  const results = [
    failure("a"),
    { ok: false, error: "b", postponeMs: HOUR_MS },
    failure("c"),
  ] as const;
  const { outbox, post, failures, delivered, clock } = setup(kv, {
    result: () => results[delivered.length - 1],
  });
  await post("payload");
  for (const wait of [MINUTE_MS, HOUR_MS]) {
    clock.now += wait;
    await outbox.drain();
  }
  assertEquals(failures, [["a", 1, MINUTE_MS], ["c", 2, 5 * MINUTE_MS]]);
});

Deno.test("a drain reads no more messages while 500 of a slow group wait", async () => {
  using kv = await openKv(":memory:");
  const ends = Promise.withResolvers<void>();
  const { outbox, add, clock } = setup(kv, {
    result: async () => {
      await ends.promise;
      return SENT;
    },
  });
  for (let page = 0; page < 14; page++) {
    await add(...Array.from({ length: 50 }, (_, i) => `${page} ${i}`));
  }
  clock.now += CLAIM_MS;
  let pages = 0;
  const reads = Promise.withResolvers<void>();
  const { list } = kv;
  kv.list = ((...args: Parameters<typeof list>) => {
    if (++pages > 10) reads.resolve();
    return list.apply(kv, args);
  }) as typeof list;
  const stopping = new AbortController();
  const drained = outbox.drain(stopping.signal);
  await reads.promise;
  await new Promise((resolve) => setTimeout(resolve)); // another page would be read by now
  const read = pages;
  stopping.abort();
  ends.resolve();
  await drained;
  await outbox.flush();
  assertEquals(read, 11);
});

Deno.test("the messages of one group are sent one after another, and wait for no other group", async () => {
  using kv = await openKv(":memory:");
  const clock = { now: START };
  const order: string[] = [];
  const blocked = Promise.withResolvers<void>();
  const deliver = async (payload: string): Promise<Delivery> => {
    order.push(`+${payload}`);
    if (payload === "a1") await blocked.promise;
    await kv.get([]);
    order.push(`-${payload}`);
    if (payload === "b1") blocked.resolve();
    return SENT;
  };
  const { outbox } = setup(kv, { clock, result: deliver });
  const commit = kv.atomic();
  for (const payload of ["a1", "a2", "a3", "b1"]) {
    const options = { expiresAt: START + DAY_MS, about: "", group: payload[0] };
    await outbox.add(commit, payload, options);
    clock.now++;
  }
  await commit.commit();
  clock.now += CLAIM_MS;
  await outbox.drain();
  assertEquals(order.filter((each) => each[1] === "a"), ["+a1", "-a1", "+a2", "-a2", "+a3", "-a3"]);
  assert(order.indexOf("-b1") < order.indexOf("-a1"));
});
