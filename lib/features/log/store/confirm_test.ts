import { assertEquals } from "@std/assert";
import { MINUTE_MS } from "../../../base/time.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { limitKv } from "../../../platform/kv/testing/limited_kv.ts";
import { formatVerifierKey, parsePolicy } from "../../../../packages/proof/mod.ts";
import {
  addEntries,
  createTestAnchor,
  createTestPublisher,
  createTestWitness,
  ORIGIN,
} from "../testing/fixtures.ts";
import type { PublishOptions } from "./publish.ts";
import { sequenceBatch } from "./sequence.ts";
import { readStatus } from "./status.ts";
import { logHalted } from "./tables.ts";

/** A log with a published entry, unless it is new, and witnesses that do not respond. */
async function setup({ names = ["one"], isNew = false, ...options }: {
  names?: string[];
  isNew?: boolean;
} & Partial<PublishOptions> = {}) {
  const kv = limitKv(await openKv(":memory:"));
  let now = Date.parse("2026-03-01T00:00:00Z");
  const clock = () => now;
  const witnesses = await Promise.all(names.map((name) => createTestWitness(name, clock)));
  const lines: Record<string, unknown>[] = [];
  const alerts: string[][] = [];
  const start = () =>
    createTestPublisher(kv, {
      clock,
      witnessList: witnesses,
      log: (entry) => lines.push(entry),
      onUnconfirmed: (names) => Promise.resolve(void alerts.push([...names])),
      ...options,
    });
  if (!isNew) {
    await addEntries(kv, ["a"]);
    await sequenceBatch(kv);
    await (await start()).publish();
  }
  lines.length = 0;
  for (const witness of witnesses) {
    witness.respond = () => Promise.reject(new TypeError("unreachable"));
  }
  return {
    kv,
    witnesses,
    lines,
    alerts,
    start,
    wait: (ms: number) => now += ms,
    waiting: async () =>
      (await readStatus(kv, { origin: ORIGIN, witnesses: () => Promise.resolve(witnesses) }))
        .waiting,
    [Symbol.dispose]: () => kv.close(),
  };
}

const respondWith = (status: number) => () => Promise.resolve(new Response("", { status }));

for (const isNew of [false, true]) {
  const what = isNew ? "a new log" : "a log";
  Deno.test(`${what} whose witnesses are silent waits for two minutes, then goes on with an alert that names them`, async () => {
    using log = await setup({ names: ["one", "other"], isNew });
    const { confirm } = await log.start();
    assertEquals(await confirm(), "waiting");
    assertEquals(await log.waiting(), {
      since: "2026-03-01T00:00:00.000Z",
      witnesses: ["one", "other"],
      required: false,
    });
    log.wait(2 * MINUTE_MS - 1);
    assertEquals([await confirm(), log.alerts], ["waiting", []]);
    log.wait(1);
    assertEquals([await confirm(), log.alerts], ["confirmed", [["one", "other"]]]);
    assertEquals(await log.waiting(), null);
    assertEquals(log.lines.map(({ event, witnesses }) => [event, witnesses]), [
      ["log_waiting", "one, other"],
      ["log_unconfirmed", "one, other"],
      ["log_goes_on", "one, other"],
    ]);
    // Later on, nothing waits.
    log.wait(MINUTE_MS);
    assertEquals([await confirm(), log.alerts.length], ["confirmed", 1]);
    // The next process does.
    assertEquals(await (await log.start()).confirm(), "waiting");
  });

  Deno.test(`${what} goes on at once as soon as one witness answers, also that it does not know the log`, async () => {
    using log = await setup({ names: ["one", "other"], isNew });
    const { confirm } = await log.start();
    assertEquals(await confirm(), "waiting");
    log.witnesses[1].respond = respondWith(404);
    assertEquals([await confirm(), await log.waiting()], ["confirmed", null]);
    delete log.witnesses[1].respond;
    assertEquals(await (await log.start()).confirm(), "confirmed");
    assertEquals(log.alerts, []);
  });

  Deno.test(`${what} goes on at once without its witnesses if its anchor agrees`, async () => {
    using log = await setup({ isNew, anchor: createTestAnchor() });
    const { confirm } = await log.start();
    assertEquals([await confirm(), log.alerts, log.lines], ["confirmed", [], []]);
  });
}

Deno.test("a published log waits if its anchor was never written", async () => {
  using log = await setup();
  const restarted = await createTestPublisher(log.kv, {
    witnessList: log.witnesses,
    anchor: createTestAnchor(),
  });
  assertEquals(await restarted.confirm(), "waiting");
});

Deno.test("a witness that refuses the empty tree answers; one that is busy or fails, or refuses a published tree, does not", async () => {
  for (
    const [status, isNew, state] of [
      [400, true, "confirmed"],
      [422, true, "confirmed"],
      [403, true, "confirmed"],
      [429, true, "waiting"],
      [503, true, "waiting"],
      [400, false, "waiting"],
      [403, false, "waiting"],
      [503, false, "waiting"],
    ] as const
  ) {
    using log = await setup({ isNew });
    log.witnesses[0].respond = respondWith(status);
    assertEquals([status, await (await log.start()).confirm()], [status, state]);
    assertEquals((await logHalted.get(log.kv)).value, null);
  }
});

Deno.test("with a required quorum, the log waits until that has answered, whatever the anchor says, and says for whom", async () => {
  const anchor = createTestAnchor();
  const required = parsePolicy("quorum none");
  using log = await setup({ names: ["one", "other"], anchor, required });
  const [one, other] = log.witnesses;
  Object.assign(
    required,
    parsePolicy(
      `witness one ${formatVerifierKey(one.key)}\nwitness other ${formatVerifierKey(other.key)}\n` +
        "group both all one other\nquorum both",
    ),
  );
  const { confirm, publish } = await log.start();
  one.respond = respondWith(404);
  log.wait(60 * MINUTE_MS);
  assertEquals(await confirm(), "waiting");
  log.wait(60 * MINUTE_MS);
  assertEquals([await confirm(), log.alerts], ["waiting", []]);
  assertEquals(await log.waiting(), {
    since: "2026-03-01T01:00:00.000Z",
    witnesses: ["other"],
    required: true,
  });
  delete other.respond;
  assertEquals([await confirm(), await log.waiting()], ["confirmed", null]);
  // The one that does not know the log has answered, but nothing is published without it.
  await addEntries(log.kv, ["b"]);
  await sequenceBatch(log.kv);
  assertEquals((await publish()).summary, "size 2 waits for witnesses");
  assertEquals((await log.waiting())!.witnesses, ["one"]);
  delete one.respond;
  await publish();
  assertEquals(await log.waiting(), null);
  assertEquals(log.lines.map(({ event, witnesses }) => [event, witnesses]), [
    ["log_waiting", "other"],
    ["log_goes_on", "other"],
    ["log_waiting", "one"],
    ["log_goes_on", "one"],
  ]);
});

Deno.test("a note about waiting from an earlier process ends with the next confirmation", async () => {
  using log = await setup();
  assertEquals(await (await log.start()).confirm(), "waiting");
  delete log.witnesses[0].respond;
  assertEquals(await (await log.start()).confirm(), "confirmed");
  assertEquals(await log.waiting(), null);
});

Deno.test("a process that publishes ends what another one has noted about waiting before it stopped", async () => {
  using log = await setup();
  const [witness] = log.witnesses;
  const silent = witness.respond!;
  delete witness.respond;
  const { confirm, publish } = await log.start();
  assertEquals(await confirm(), "confirmed");
  witness.respond = silent;
  assertEquals(await (await log.start()).confirm(), "waiting");
  await addEntries(log.kv, ["b"]);
  await sequenceBatch(log.kv);
  await publish();
  assertEquals(await log.waiting(), null);
  // The other one still waits, and says so.
  assertEquals(await (await log.start()).confirm(), "waiting");
  assertEquals((await log.waiting())!.witnesses, ["one"]);
});

Deno.test("409 without a size halts the log if the witness has a tree of the same size, and is a failure otherwise", async () => {
  for (const grown of [false, true]) {
    using log = await setup();
    log.witnesses[0].respond = respondWith(409);
    const restarted = await log.start();
    if (grown) {
      await addEntries(log.kv, ["b"]);
      await sequenceBatch(log.kv);
      await restarted.publish();
      assertEquals((await logHalted.get(log.kv)).value, null);
    } else {
      assertEquals(await restarted.confirm(), "halted");
      const { by, response } = (await logHalted.get(log.kv)).value!;
      assertEquals([by, response], ["one", "409"]);
    }
  }
});
