import { assertEquals } from "@std/assert";
import { openKv } from "../kv/mod.ts";
import { createSecrets } from "../secrets.ts";
import { DAY_MS, MINUTE_MS } from "../../base/time.ts";
import { OUTCOME_LIFETIME_MS, readDeliveries } from "./deliveries.ts";
import { createOutbox, type Delivery } from "./outbox.ts";
import { forgetDeliveries } from "./outbox_rows.ts";

const START = Date.parse("2026-03-01T09:00:00.000Z");
const ABOUT = "contact/1";

async function setup() {
  const kv = await openKv(":memory:");
  const clock = { now: START };
  const results: (Delivery | Promise<Delivery>)[] = [];
  const outbox = createOutbox<string>({
    kv,
    secrets: createSecrets({ kv, given: [new Uint8Array(32)] }),
    channel: "mail",
    clock: () => clock.now,
    deliver: () => Promise.resolve(results.shift() ?? { ok: true }),
    onFailure: () => {},
  });
  return {
    kv,
    clock,
    results,
    outbox,
    async post(tracked = true) {
      const commit = kv.atomic();
      const options = { about: ABOUT, labels: { kind: "notice" }, tracked };
      const queued = await outbox.add(commit, "the content", {
        ...options,
        expiresAt: START + 7 * DAY_MS,
      });
      await commit.commit();
      return queued;
    },
    async send(tracked?: boolean) {
      outbox.send([await this.post(tracked)]);
      await outbox.flush();
    },
    read: () => readDeliveries(kv, ABOUT, clock.now),
    states: async () =>
      (await readDeliveries(kv, ABOUT, clock.now))
        .map(({ state, failures, reason, next_at }) => [state, failures, reason, next_at]),
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("the outcome of a message that was sent remains, without its content", async () => {
  using fixture = await setup();
  const queued = await fixture.post();
  assertEquals(await fixture.states(), [["sending", 0, null, null]]);
  fixture.clock.now += 1_000;
  fixture.outbox.send([queued]);
  await fixture.outbox.flush();
  const at = (ms: number) => new Date(START + ms).toISOString();
  assertEquals(await fixture.read(), [{
    id: String(queued.key[3]),
    state: "sent",
    created_at: at(0),
    at: at(1_000),
    labels: { kind: "notice" },
    failures: 0,
    reason: null,
    next_at: null,
    recipient: null,
    reply: null,
    expires_at: at(OUTCOME_LIFETIME_MS),
  }]);
  fixture.clock.now += OUTCOME_LIFETIME_MS;
  assertEquals(await fixture.read(), []);
});

Deno.test("after a failed attempt, the state is retrying with the reason, until the message is sent or given up", async () => {
  using fixture = await setup();
  const failed: Delivery = { ok: false, error: "timeout", permanent: false };
  fixture.results.push(failed);
  await fixture.send();
  const next = new Date(START + MINUTE_MS).toISOString();
  assertEquals(await fixture.states(), [["retrying", 1, "timeout", next]]);
  fixture.clock.now += MINUTE_MS;
  await fixture.outbox.drain();
  assertEquals(await fixture.states(), [["sent", 1, "timeout", null]]);

  fixture.results.push({ ok: false, error: "recipient_refused", permanent: true });
  await fixture.send();
  assertEquals((await fixture.states())[0], ["failed", 1, "recipient_refused", null]);
});

Deno.test("a lost message that is sent again has the state sent", async () => {
  using fixture = await setup();
  fixture.results.push({ ok: false, error: "timeout", postponeMs: 8 * DAY_MS });
  await fixture.send();
  const [{ id, state }] = await fixture.read();
  assertEquals([state, await fixture.outbox.sendAgain(id)], ["failed", true]);
  await fixture.outbox.flush();
  assertEquals((await fixture.states())[0][0], "sent");
});

Deno.test("nothing is stored for an untracked message, or if the owner was deleted in the meantime", async () => {
  using fixture = await setup();
  await fixture.send(false);
  assertEquals(await fixture.read(), []);
  const delivered = Promise.withResolvers<Delivery>();
  fixture.results.push(delivered.promise);
  fixture.outbox.send([await fixture.post()]);
  await forgetDeliveries(fixture.kv, ABOUT);
  delivered.resolve({ ok: true });
  await fixture.outbox.flush();
  assertEquals(await Array.fromAsync(fixture.kv.list({ prefix: [] })), []);
});

Deno.test("the newest outcome is found among thousands of earlier ones", async () => {
  using fixture = await setup();
  const { kv, clock } = fixture;
  await fixture.send();
  const [{ id: _, ...row }] = await fixture.read();
  for (let i = 0; i < 7_000; i += 500) {
    const commit = kv.atomic();
    for (let id = i; id < i + 500; id++) {
      commit.set(["outbox_outcomes", ABOUT, `0${id}`], { ...row, id: `0${id}` });
    }
    await commit.commit();
  }
  clock.now += MINUTE_MS;
  await fixture.send();
  const [newest] = await fixture.read();
  assertEquals(newest.created_at, new Date(clock.now).toISOString());
});
