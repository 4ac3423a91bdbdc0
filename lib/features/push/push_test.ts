import { assert, assertEquals } from "@std/assert";
import { EVENT_KINDS } from "../../../packages/proof/mod.ts";
import { CLAIM_MS } from "../../platform/jobs/mod.ts";
import { apart, rulesOf } from "../../platform/kv/mod.ts";
import { valuesOf } from "../../platform/kv/testing/temp_kv.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { HANG_MS } from "../../testing/times.ts";
import type { PushOutcome, PushProvider } from "./provider.ts";
import { PUSH_LIFETIME_MS, UNSEEN_MS } from "./rows.ts";
import { android, ios, pushFixture } from "./testing/fixture.ts";

const RETRY: PushOutcome = { ok: false, error: "unavailable", action: "retry" };
const rows = (kv: Deno.Kv, prefix: string) =>
  Array.fromAsync(kv.list({ prefix: [prefix] }), ({ key }) => key);

/** Drains in steps of a minute. */
async function drainFor(
  { push, clock }: Awaited<ReturnType<typeof pushFixture>>,
  ms: number,
): Promise<void> {
  for (const end = clock.now + ms; clock.now < end;) {
    clock.now += MINUTE_MS;
    await push.drain();
    await push.flush();
  }
}

Deno.test("the push of each kind of event has the spec's text, and the other kinds have none", async () => {
  using fixture = await pushFixture();
  const hash = await fixture.record();
  await fixture.register(hash, android("phone"));
  const texts: Record<string, string | undefined> = {};
  for (const { kind } of EVENT_KINDS) {
    if (kind === "hash_generated") continue;
    fixture.service.sent = [];
    await fixture.append(hash, kind);
    texts[kind] = fixture.received("phone").join();
  }
  const pushed = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));
  assertEquals(pushed, {
    email_confirmed: "Email verified ✓",
    k2_delivered: "Your key has been delivered",
    record_verified: "Your record was just verified",
    document_viewed: "Your compliance record was accessed",
  });
  assertEquals(await rows(fixture.kv, "outbox"), []);
});

Deno.test("a message has a text, the event's seq and hash, and nothing that identifies the record", async () => {
  using fixture = await pushFixture();
  const hash = await fixture.record();
  await fixture.register(hash, ios("phone"));
  await fixture.append(hash, "record_verified");
  const event = (await fixture.kv.get<{ hash: string; at: string }>(["chain_events", hash, 1]))
    .value!;
  const [{ target, message }] = fixture.service.sent;
  assertEquals(target, ios("phone"));
  const { id, collapse, ...rest } = message;
  assertEquals(rest, {
    text: "Your record was just verified",
    seq: 1,
    event: event.hash,
    expiresAt: Date.parse(event.at) + PUSH_LIFETIME_MS,
    url: "https://trust.example/my-record",
  });
  assert(/^[0-9a-f-]{36}$/.test(id));
  assert(/^[\w-]{32}$/.test(collapse));
});

Deno.test("document_viewed is pushed from level 3, by the level at the time of sending", async () => {
  using fixture = await pushFixture();
  const { kv, clock } = fixture;
  const hash = await fixture.record(2);
  await fixture.register(hash, android("phone"));
  await fixture.append(hash, "document_viewed");
  assertEquals(fixture.received("phone"), []);

  const setLevel = async (level: number) => {
    const { value } = await kv.get<object>(["records", hash]);
    await kv.set(["records", hash], { ...value, level });
  };
  // The process dies after two commits: of the first use of its key, and of the event.
  const atLevel = async (queued: number, sent: number) => {
    await setLevel(queued);
    await fixture.start(killAfter(kv, 2, "commit")).append(hash, "document_viewed").catch(() => {});
    await setLevel(sent);
    clock.now += CLAIM_MS;
    await fixture.push.drain();
    await fixture.push.flush();
  };
  await atLevel(2, 3);
  assertEquals(fixture.received("phone").length, 1);
  await atLevel(3, 2);
  assertEquals(fixture.received("phone").length, 1);
  assertEquals((await rows(kv, "chain_events")).length, 4);
});

/**
 * Returns the store of a process that is killed at its nth operation: every later operation fails. What
 * the process assigns to the store, for example to count its writes, does not reach the other processes.
 *
 * @param only counts only operations of this name
 * @param done whether the last operation takes effect
 */
function killAfter(kv: Deno.Kv, count: number, only?: string, done = true): Deno.Kv {
  let left = count;
  const step = async (name: string, run: () => Promise<unknown>) => {
    if (left <= 0) throw new Error("killed");
    if (only === undefined || only === name) left--;
    if (left <= 0 && !done) throw new Error("killed");
    return await run();
  };
  const callOf = (target: object, name: string) => Reflect.get(target, name).bind(target);
  function atomic() {
    const operation = kv.atomic();
    const proxy: unknown = new Proxy(Object.create(operation), {
      get(own, name: string) {
        if (Object.hasOwn(own, name)) return own[name];
        if (typeof Reflect.get(operation, name) !== "function") return Reflect.get(operation, name);
        const call = callOf(operation, name);
        if (name === "commit") return () => step(name, call);
        return (...given: unknown[]) => (call(...given), proxy);
      },
    });
    return proxy;
  }
  return new Proxy(Object.create(kv), {
    get(own, name: string) {
      if (Object.hasOwn(own, name)) return own[name];
      if (name === "atomic") return atomic;
      if (typeof Reflect.get(kv, name) !== "function") return Reflect.get(kv, name);
      const call = callOf(kv, name);
      return name === "list" ? call : (...given: unknown[]) => step(name, () => call(...given));
    },
  });
}

Deno.test("after 100 kills of the sender at any step, each event was pushed once or twice", async () => {
  using fixture = await pushFixture();
  const { kv, clock, service } = fixture;
  const hash = await fixture.record();
  await fixture.register(hash, android("phone"));
  const committed = new Set<number>();
  for (let i = 0; i < 100; i++) {
    const killed = killAfter(kv, 1 + (i >> 1) % 25, undefined, i % 2 === 0);
    const { append } = fixture.start(killed);
    await append(hash, "record_verified").catch(() => {});
    const { size } = (await kv.get<{ size: number }>(["chains", hash])).value!;
    committed.add(size - 1);
    const next = fixture.start();
    clock.now += CLAIM_MS;
    await next.push.drain();
    await next.push.flush();
  }
  committed.delete(0); // hash_generated
  const counts = new Map<number, number>();
  for (const { message: { seq } } of service.sent) counts.set(seq, (counts.get(seq) ?? 0) + 1);
  assertEquals([...counts.keys()].sort((a, b) => a - b), [...committed].sort((a, b) => a - b));
  assertEquals(new Set(counts.values()), new Set([1, 2]));
  assert(committed.size > 50, `${committed.size} events`);
  assertEquals(await rows(kv, "outbox"), []);
});

Deno.test("150 events of 150 holders in one burst are pushed once each", async () => {
  using fixture = await pushFixture();
  // On a slow machine the last calls of the burst wait for a long time.
  Object.assign(rulesOf(fixture.kv).deadlines, { callMs: HANG_MS, requestMs: HANG_MS });
  const hashes: string[] = [];
  for (let i = 0; i < 150; i++) {
    const hash = await fixture.record();
    await fixture.register(hash, android(`phone-${i}`), "session");
    hashes.push(hash);
  }
  await Promise.all(hashes.map((hash) => fixture.append(hash, "k2_delivered")));
  await fixture.push.flush();
  const tokens = fixture.service.sent.map(({ target }) => "token" in target && target.token);
  assertEquals([tokens.length, new Set(tokens).size], [150, 150]);
  assertEquals(await rows(fixture.kv, "outbox"), []);
});

Deno.test("after an outage the events are pushed in the order of seq, with the same ids", async () => {
  using fixture = await pushFixture();
  const { service, clock } = fixture;
  const hash = await fixture.record();
  await fixture.register(hash, android("phone"));
  const tried: [number, string][] = [];
  service.answer = (_, { seq, id }) => {
    tried.push([seq, id]);
    return RETRY;
  };
  for (let i = 0; i < 6; i++) {
    await fixture.append(hash, "record_verified");
    await drainFor(fixture, 7 * MINUTE_MS);
  }
  assertEquals(new Set(tried.map(([seq]) => seq)), new Set([1])); // the others wait for the first
  const attempts = tried.length;
  assert(attempts >= 5 && attempts <= 8, `${attempts} attempts in 42 minutes`);
  service.answer = () => ({ ok: true });
  await drainFor(fixture, 20 * MINUTE_MS);
  assertEquals(service.sent.map(({ message }) => message.seq), [1, 2, 3, 4, 5, 6]);
  assertEquals(service.sent[0].message.id, tried[0][1]);
  clock.now += HOUR_MS;
  await fixture.append(hash, "record_verified");
  assertEquals(service.sent.length, 7);
});

Deno.test("a device waits as long as the service asks for, but other devices do not", async () => {
  using fixture = await pushFixture();
  const { service, clock } = fixture;
  const hash = await fixture.record();
  await fixture.register(hash, android("busy"));
  await fixture.register(hash, android("other"));
  service.answer = (target) =>
    "token" in target && target.token === "busy"
      ? { ...RETRY, afterMs: 2 * HOUR_MS }
      : { ok: true };
  await fixture.append(hash, "record_verified");
  assertEquals(fixture.received("other").length, 1);
  service.answer = () => ({ ok: true });
  await drainFor(fixture, 2 * HOUR_MS - 2 * MINUTE_MS);
  assertEquals(fixture.received("busy"), []);
  clock.now += 3 * MINUTE_MS;
  await fixture.push.drain();
  assertEquals([fixture.received("busy").length, fixture.received("other").length], [1, 1]);
});

Deno.test("an event is not pushed more than a day later, and is reported", async () => {
  using fixture = await pushFixture();
  const hash = await fixture.record();
  await fixture.register(hash, android("phone"));
  fixture.service.answer = () => RETRY;
  await fixture.append(hash, "record_verified");
  for (let i = 0; i < 24 * 4 + 2; i++) {
    fixture.clock.now += 15 * MINUTE_MS + 10;
    await fixture.push.drain();
  }
  assertEquals(fixture.lost, [{ hash, reason: "unavailable" }]);
  fixture.service.answer = () => ({ ok: true });
  fixture.clock.now += DAY_MS;
  await fixture.push.drain();
  assertEquals(fixture.service.sent, []);
});

Deno.test("a dead token is removed without a report, and one that was registered again stays", async () => {
  using fixture = await pushFixture();
  const { service, clock, kv } = fixture;
  const hash = await fixture.record();
  await fixture.register(hash, ios("old"));
  const since = clock.now + 1;
  clock.now += HOUR_MS;
  await fixture.register(hash, ios("new"));
  await fixture.register(hash, android("gone"));
  await fixture.register(hash, android("again"));
  service.answer = async (target) => {
    if (target.platform === "ios") {
      return { ok: false, error: "unregistered", action: "remove", since };
    }
    if ("token" in target && target.token === "again") {
      clock.now += 1;
      await fixture.register(hash, android("again")); // while the service answers
    }
    return { ok: false, error: "unregistered", action: "remove" };
  };
  await fixture.append(hash, "record_verified");
  const { devices } = await fixture.push.overview(hash);
  assertEquals(devices.map(({ platform }) => platform).sort(), ["android", "ios"]);
  assertEquals((await rows(kv, "device_tokens_by_contact")).length, 2);
  assertEquals(fixture.lost, []);
  service.answer = () => ({ ok: true });
  await drainFor(fixture, 3 * MINUTE_MS);
  assertEquals(service.sent.length, 2);
});

Deno.test("a message that a service refuses is reported once and not repeated", async () => {
  using fixture = await pushFixture();
  const hash = await fixture.record();
  await fixture.register(hash, android("phone"));
  let attempts = 0;
  fixture.service.answer = () => {
    attempts++;
    return { ok: false, error: "sender_id_mismatch", action: "give_up" };
  };
  await fixture.append(hash, "record_verified");
  await drainFor(fixture, 10 * MINUTE_MS);
  assertEquals([attempts, fixture.lost], [1, [{ hash, reason: "sender_id_mismatch" }]]);
});

Deno.test("a provider that throws is tried again", async () => {
  using fixture = await pushFixture();
  const hash = await fixture.record();
  await fixture.register(hash, android("phone"));
  const throws: PushProvider["send"] = () => Promise.reject(new Error("broken"));
  fixture.service.answer = () => throws(android("phone"), {} as never);
  await fixture.append(hash, "record_verified");
  fixture.service.answer = () => ({ ok: true });
  await drainFor(fixture, 2 * MINUTE_MS);
  assertEquals(fixture.received("phone").length, 1);
});

Deno.test("a message to a device that another holder has registered in the meantime is not sent", async () => {
  using fixture = await pushFixture();
  const [first, second] = [await fixture.record(), await fixture.record()];
  await fixture.register(first, android("phone"));
  fixture.service.answer = () => RETRY;
  await fixture.append(first, "k2_delivered");
  fixture.service.answer = () => ({ ok: true });
  await fixture.register(second, android("phone"));
  await drainFor(fixture, 5 * MINUTE_MS);
  await fixture.append(first, "record_verified");
  assertEquals(fixture.received("phone"), []);
  await fixture.append(second, "email_confirmed");
  assertEquals(fixture.received("phone"), ["Email verified ✓"]);
});

Deno.test("a device whose session was ended gets nothing, and one whose session expired still does", async () => {
  using fixture = await pushFixture();
  const { kv, clock } = fixture;
  const hash = await fixture.record();
  await fixture.register(hash, android("ended"), "ended");
  await fixture.register(hash, android("expired"), "expired");
  await kv.delete(["record_sessions", "ended"]);
  await fixture.append(hash, "record_verified");
  clock.now += 31 * DAY_MS;
  await kv.delete(["record_sessions", "expired"]);
  await fixture.append(hash, "record_verified");
  assertEquals([fixture.received("ended").length, fixture.received("expired").length], [0, 2]);
  clock.now += UNSEEN_MS;
  await fixture.append(hash, "record_verified");
  assertEquals(fixture.received("expired").length, 2);
  assertEquals(await rows(kv, "device_tokens"), []);
});

Deno.test("events in quiet hours are pushed when they end, in order, and kinds that are off never", async () => {
  using fixture = await pushFixture();
  const { clock, push } = fixture;
  clock.now = Date.parse("2026-11-22T23:00:00Z");
  const hash = await fixture.record();
  await fixture.register(hash, android("phone"));
  const quiet = { from: "22:00", to: "07:00", zone: "UTC" };
  const reader = { network: "", browser: "" };
  assert((await push.choose(hash, { off: ["k2_delivered"], quiet }, reader)).ok);
  for (const kind of ["record_verified", "k2_delivered", "document_viewed"] as const) {
    await fixture.append(hash, kind);
  }
  clock.now = Date.parse("2026-11-23T06:59:59Z");
  await push.drain();
  assertEquals(fixture.received("phone"), []);
  await drainFor(fixture, MINUTE_MS);
  assertEquals(fixture.received("phone"), [
    "Your record was just verified",
    "Your compliance record was accessed",
  ]);
});

Deno.test("a record without devices queues no message, but a device registered during the commit gets the event", async () => {
  using fixture = await pushFixture();
  const { kv } = fixture;
  const hash = await fixture.record();
  const { start } = fixture;
  let meanwhile: (() => Promise<void>) | undefined = () => fixture.register(hash, android("phone"));
  const racing = new Proxy(kv, {
    get(target, name: string) {
      const value = Reflect.get(target, name);
      const call = typeof value === "function" ? value.bind(target) : value;
      if (name !== "get") return call;
      return async (key: Deno.KvKey) => {
        const entry = await call(key);
        if (key[0] === "push_settings") {
          const run = meanwhile ?? (() => {});
          meanwhile = undefined;
          await apart("Another request registers the device.", run);
        }
        return entry;
      };
    },
  });
  await start(racing).append(hash, "record_verified");
  assertEquals(fixture.received("phone").length, 1);

  const other = await fixture.record();
  const before = await valuesOf(kv);
  await fixture.append(other, "record_verified");
  assertEquals((await valuesOf(kv)).length, before.length + 1); // the event
});
