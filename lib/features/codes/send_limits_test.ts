import { assert, assertEquals } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import { createSecrets } from "../../platform/secrets.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { codeDays } from "./days.ts";
import { createSendLimits, type SendLimits, type SendLimitsOptions } from "./send_limits.ts";
import type { Channel } from "./provider.ts";

/** Noon, so that no test reaches the next day by accident. */
const START = Date.UTC(2026, 10, 22, 12);

function createFixture(kv: Deno.Kv, options: Partial<SendLimitsOptions> = {}) {
  const clock = { now: START };
  const logs: Record<string, unknown>[] = [];
  const sendLimits = createSendLimits({
    kv: limitKv(kv),
    clock: () => clock.now,
    secrets: createSecrets({ kv, given: [new Uint8Array(32)] }),
    countries: { sms: ["AU", "GB", "US"], voice: ["AU"] },
    dailyBudget: 1_000,
    limitClients: true,
    log: (line) => logs.push(line),
    ...options,
  });
  /** Requests a code and sends it if it passes. Returns `sent`, or the refusal with its wait. */
  async function send(
    number: string,
    channel: Channel = "sms",
    clientAddress = "192.0.2.1",
    record?: string,
  ): Promise<string> {
    const admitted = await sendLimits.admit({ number, channel, clientAddress, record });
    if (!admitted.ok) {
      const { error, retryAfterSeconds: wait } = admitted;
      return wait === undefined ? error : `${error} ${wait}`;
    }
    return await sendLimits.reserve({ number, channel, record }) ? "sent" : "not sent";
  }
  return { sendLimits, clock, logs, send };
}

/** Returns a mobile number in Australia: the nth one in the block of ten thousand with that number. */
const mobile = (n: number, block = 0) =>
  `+61491${String(block).padStart(2, "0")}${String(n).padStart(4, "0")}`;

/** Sends to many numbers from different clients, and counts the outcomes. */
async function sendAll(send: (n: number) => Promise<string>, count: number) {
  const outcomes: Record<string, number> = {};
  for (let i = 0; i < count; i++) {
    const outcome = (await send(i)).split(" ")[0];
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return outcomes;
}

Deno.test("a number gets one code a minute, five an hour and ten a day, from any number of clients", async () => {
  using kv = await openKv(":memory:");
  const { clock, send } = createFixture(kv);
  const steps: [at: number, outcome: string][] = [
    [0, "sent"],
    [MINUTE_MS - 1, "rate_limited 1"],
    ...[1, 2, 3, 4].map((n): [number, string] => [n * MINUTE_MS, "sent"]),
    [5 * MINUTE_MS, `rate_limited ${55 * 60}`],
    ...[0, 1, 2, 3, 4].map((n): [number, string] => [HOUR_MS + n * MINUTE_MS, "sent"]),
    [3 * HOUR_MS, `rate_limited ${21 * 3600}`],
    [DAY_MS, "sent"],
  ];
  for (const [i, [at, outcome]] of steps.entries()) {
    clock.now = START + at;
    assertEquals(await send(mobile(1), "sms", `192.0.2.${i}`), outcome, `after ${at} ms`);
  }
});

Deno.test("calls have lower limits than messages", async () => {
  using kv = await openKv(":memory:");
  const { clock, send } = createFixture(kv);
  assertEquals(await send(mobile(1), "voice"), "sent");
  clock.now += MINUTE_MS;
  assertEquals(await send(mobile(1), "voice"), "sent");
  clock.now += MINUTE_MS;
  assertEquals(await send(mobile(1), "voice"), `rate_limited ${58 * 60}`);
  assertEquals(await send(mobile(1), "sms"), "sent");
});

Deno.test("a client gets ten codes an hour for any numbers, and five calls", async () => {
  using kv = await openKv(":memory:");
  const { send } = createFixture(kv);
  const calls = await sendAll((i) => send(mobile(i, i), "voice"), 6);
  assertEquals(calls, { sent: 5, rate_limited: 1 });
  const messages = await sendAll((i) => send(mobile(i, 20 + i)), 6);
  assertEquals(messages, { sent: 5, rate_limited: 1 });
  assertEquals(await send(mobile(1, 50), "sms", "192.0.2.2"), "sent");
});

Deno.test("of 200 known sequential numbers, 20 get a code, and the responses do not show it", async () => {
  using kv = await openKv(":memory:");
  const { send } = createFixture(kv);
  const outcomes = await sendAll((i) => send(mobile(i), "sms", `192.0.2.${i}`), 200);
  // Both are responded to in the same way.
  assertEquals(outcomes, { sent: 20, not: 180 });
});

Deno.test("200 requests for unknown numbers block neither a sign-in nor a confirmation with their prefix", async () => {
  using kv = await openKv(":memory:");
  const { sendLimits, send } = createFixture(kv);
  for (let i = 0; i < 200; i++) {
    const request = { number: mobile(i), channel: "sms", clientAddress: `192.0.2.${i}` } as const;
    assertEquals((await sendLimits.admit(request)).ok, true);
  }
  assertEquals(await send(mobile(300)), "sent");
  assertEquals(await send(mobile(301), "sms", "192.0.2.1", "record"), "sent");
  // Strangers cannot use up the requests of a holder's own number either.
  assertEquals(await send(mobile(1)), "rate_limited 60");
  assertEquals(await send(mobile(1), "sms", "192.0.2.1", "record"), "sent");
});

Deno.test("messages to known numbers do not use up the allowance of holders, nor the other way round", async () => {
  using kv = await openKv(":memory:");
  const { send } = createFixture(kv, { limitClients: false });
  assertEquals(await sendAll((i) => send(mobile(i)), 21), { sent: 20, not: 1 });
  const confirm = (i: number) => send(mobile(i), "sms", "192.0.2.1", `record ${i}`);
  assertEquals(await sendAll(confirm, 11), { sent: 10, rate_limited: 1 });
  assertEquals(await confirm(50), `rate_limited ${24 * 3600}`);
  assertEquals(await send(mobile(0, 1)), "sent");
});

Deno.test("a record gets codes for three numbers a day, as often as each number may", async () => {
  using kv = await openKv(":memory:");
  const { clock, send } = createFixture(kv);
  const confirm = (i: number, record = "a") => send(mobile(i, i), "sms", `192.0.2.${i}`, record);
  for (const i of [1, 2, 3]) {
    assertEquals(await confirm(i), "sent");
    clock.now += MINUTE_MS;
  }
  assertEquals(await confirm(1), "sent");
  assertEquals(await confirm(4), `rate_limited ${24 * 3600 - 2 * 60}`);
  assertEquals(await confirm(4, "b"), "sent");
  clock.now += 2 * HOUR_MS;
  assertEquals(await confirm(2), "sent");
  clock.now += 22 * HOUR_MS;
  assertEquals(await confirm(4), "sent"); // a day after the third number
});

Deno.test("a confirmation that the provider refused does not count for number, prefix and record", async () => {
  using kv = await openKv(":memory:");
  const { sendLimits, send } = createFixture(kv, { limitClients: false });
  for (let i = 0; i < 30; i++) {
    const message = { number: mobile(i), channel: "sms", record: "a" } as const;
    const admitted = await sendLimits.admit({ ...message, clientAddress: "192.0.2.1" });
    assertEquals([admitted.ok, await sendLimits.reserve(message)], [true, true]);
    await sendLimits.release(message);
    if (admitted.ok) await sendLimits.withdraw(admitted);
  }
  assertEquals(await send(mobile(40), "sms", "192.0.2.1", "a"), "sent");
});

Deno.test("a dial code gets half of the daily budget, and calls a fifth of that", async () => {
  using kv = await openKv(":memory:");
  const { clock, logs, send } = createFixture(kv, { dailyBudget: 40, limitClients: false });
  assertEquals(await sendAll((i) => send(mobile(i, i), "voice"), 10), { sent: 4, unavailable: 6 });
  const au = await sendAll((i) => send(mobile(i, 20 + i)), 30);
  assertEquals(au, { sent: 16, unavailable: 14 });
  const gb = await sendAll((i) => send(`+4479${String(i).padStart(2, "0")}123456`), 40);
  assertEquals(gb.sent, 20);
  assertEquals(await send("+12025550123"), `unavailable ${12 * 3600}`);
  assertEquals(logs.map(({ event, dial_code }) => [event, dial_code]), [
    ["codes_dial_code_spent", "+61"],
    ["codes_dial_code_spent", "+44"],
    ["codes_budget_spent", "+1"],
  ]);
  clock.now += 12 * HOUR_MS;
  assertEquals(await send("+12025550123"), "sent");
});

Deno.test("countries, types and channels that are not allowed get no codes, and are not counted", async () => {
  using kv = await openKv(":memory:");
  const { send } = createFixture(kv);
  const cases: [number: string, channel: Channel, outcome: string][] = [
    ["+18765551234", "sms", "country_not_supported"], // Jamaica, with the dial code of the US
    ["+447911123456", "sms", "country_not_supported"], // Guernsey, with the dial code of the UK
    ["+6421123456", "sms", "country_not_supported"],
    ["+447400123456", "voice", "country_not_supported"],
    ["+447700900123", "sms", "invalid_number"],
    ["+611900123456", "sms", "number_not_supported"], // premium
    ["+611300123456", "sms", "number_not_supported"], // shared cost
    ["+611800123456", "voice", "number_not_supported"], // toll-free
    ["+443001234567", "sms", "number_not_supported"], // company number
    ["+447640123456", "sms", "number_not_supported"], // pager
    ["+12025550123", "sms", "sent"], // may be mobile or not
    ["+61733334444", "voice", "sent"], // landline
  ];
  for (const [number, channel, outcome] of cases) {
    assertEquals(await send(number, channel), outcome, number);
  }
  assertEquals((await Array.fromAsync(kv.list({ prefix: ["code_limits", "number"] }))).length, 2);
});

Deno.test("a dial code is paused if few of its codes are entered, with one line in the log", async () => {
  using kv = await openKv(":memory:");
  const { sendLimits, clock, logs, send } = createFixture(kv, { limitClients: false });
  for (let i = 0; i < 40; i++) assertEquals(await send(mobile(i, i)), "sent");
  for (let i = 0; i < 7; i++) await sendLimits.approve(mobile(i, i));
  // Codes that can still be entered do not count against the dial code.
  assertEquals(await send(mobile(0, 50)), "sent");
  clock.now += 20 * MINUTE_MS;
  assertEquals(await send(mobile(0, 51)), `unavailable ${12 * 3600 - 20 * 60}`);
  assertEquals(await send(mobile(0, 52)), `unavailable ${12 * 3600 - 20 * 60}`);
  assertEquals(await send("+447400123456"), "sent");
  assertEquals(logs, [{
    level: "error",
    event: "codes_not_entered",
    dial_code: "+61",
    sms: 41,
    voice: 0,
    approved: 7,
  }]);
  await sendLimits.approve(mobile(0, 50));
  await sendLimits.approve(mobile(0, 50));
  assertEquals(await send(mobile(0, 53)), "sent");
});

Deno.test("messages that were not accepted count neither for the budget nor for the conversion", async () => {
  using kv = await openKv(":memory:");
  const { sendLimits, clock, send } = createFixture(kv, { dailyBudget: 2, limitClients: false });
  for (let i = 0; i < 5; i++) {
    assertEquals(await send(mobile(i, i)), "sent");
    await sendLimits.release({ number: mobile(i, i), channel: "sms" });
  }
  assertEquals(await send(mobile(9, 9)), "sent");
  assertEquals((await send(mobile(10, 10))).split(" ")[0], "unavailable");
  clock.now += DAY_MS;
  const number = mobile(11, 11);
  const request = { number, channel: "sms", clientAddress: "192.0.2.1" } as const;
  const admitted = await sendLimits.admit(request);
  assertEquals((await send(number)).split(" ")[0], "rate_limited");
  if (admitted.ok) await sendLimits.withdraw(admitted);
  assertEquals(await send(number), "sent");
});

Deno.test("concurrent requests never exceed a limit", async () => {
  using kv = await openKv(":memory:");
  const { sendLimits } = createFixture(kv, { dailyBudget: 10, limitClients: false });
  const reserved = await Promise.all(
    Array.from(
      { length: 30 },
      (_, i) => sendLimits.reserve({ number: mobile(i, i), channel: "sms" }),
    ),
  );
  assertEquals(reserved.filter(Boolean).length, 5);
  const request = { number: mobile(1), channel: "sms", clientAddress: "192.0.2.1" } as const;
  const admitted = await Promise.all(Array.from({ length: 10 }, () => sendLimits.admit(request)));
  assertEquals(admitted.filter(({ ok }) => ok).length, 0); // half of the budget is spent
});

Deno.test("a large budget is counted in several rows, and messages that were allowed at the same time never exceed it", async () => {
  using kv = await openKv(":memory:");
  const { sendLimits } = createFixture(kv, { dailyBudget: 2_000, limitClients: false });
  const call = (i: number) =>
    ({ number: mobile(i, i % 100), channel: "voice", record: "a" }) as const;
  const reserve = (i: number) => sendLimits.reserve(call(i));
  let sent = 0;
  while (await reserve(sent)) sent++;
  await sendLimits.release(call(0));
  sent--;

  // The first one of each shard has read the counters before any of them is counted.
  const { atomic } = kv;
  const all = Promise.withResolvers<void>();
  let waiting = 0;
  kv.atomic = () => {
    const operation = atomic.call(kv);
    const commit = operation.commit.bind(operation);
    operation.commit = async () => {
      if (++waiting === 8) all.resolve(); // one of each shard
      await all.promise;
      return await commit();
    };
    return operation;
  };
  const others = Array.from({ length: 50 }, (_, i) => reserve(300 + i));
  sent += (await Promise.all(others)).filter(Boolean).length;

  assert(sent > 193 && sent <= 200, `${sent} calls`); // a tenth of the budget, less the reserve
  const rows = await Array.fromAsync(codeDays.list(kv, []));
  assertEquals(rows.length, 16); // 8 of all dial codes, and 8 of one
  const total = (scope: string) =>
    rows.filter(({ key }) => String(key[2]).startsWith(scope))
      .reduce((sum, { value }) => sum + value.voice, 0);
  assertEquals([total("all"), total("+61")], [sent, sent]);
});

Deno.test("if a counter cannot be read or written, nothing may be sent", async () => {
  using kv = await openKv(":memory:");
  const broken = (method: "getMany" | "atomic"): SendLimits => {
    const failing = new Proxy(limitKv(kv), {
      get(target, name) {
        if (name === method) {
          return () => {
            throw new Error("The store is gone.");
          };
        }
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    return createFixture(kv, { kv: failing }).sendLimits;
  };
  for (const method of ["getMany", "atomic"] as const) {
    const sendLimits = broken(method);
    const request = { number: mobile(1), channel: "sms", clientAddress: "192.0.2.1" } as const;
    assertEquals(await sendLimits.admit(request).then(() => "admitted", () => "failed"), "failed");
    assertEquals(
      await sendLimits.reserve({ number: mobile(1), channel: "sms" }).then(
        () => "sent",
        () => "failed",
      ),
      "failed",
    );
  }
});
