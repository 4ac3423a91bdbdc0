import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  logBundles,
  logCheckpoint,
  logHalted,
  logIndex,
  logPrevious,
  logState,
  logTiles,
} from "../lib/features/log/store/tables.ts";
import { addEntries } from "../lib/features/log/testing/fixtures.ts";
import { HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import type { InfraMap } from "../lib/features/infra/mod.ts";
import { never } from "../lib/testing/held_timers.ts";
import { ADMIN, type BankSite, createBankSite } from "./bank_site.ts";

const CONSOLES = ["commercial", "foundation"] as const;

async function setup() {
  const fixture: BankSite = await createBankSite({ RELAYS: "[]" }, {}, {
    schedule: never, // readers wait until the probes have ended
    elapsed: () => 0,
    memoryUsed: () => 100e6,
  });
  const { jobs, kv, alerts, clock } = fixture.site.services;
  const words = async (on: "commercial-console" | "trust", path: string) => {
    const response = await fixture.request(on, path, on === "trust" ? null : ADMIN, {
      headers: { accept: "text/html" },
    });
    assertEquals(response.status, 200, path);
    return (await response.text()).replaceAll(/<(script|style)[^]*?<\/\1>/g, "")
      .replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  };
  return {
    kv,
    time: fixture.time,
    words,
    publish: () => jobs.run("log"),
    add: (...names: string[]) => addEntries(kv, names, { now: clock() }),
    check: () => jobs.run("health"),
    /** The states of the log's and its witness's nodes. */
    async map() {
      fixture.time.now += MINUTE_MS; // so that nothing is taken from the last check
      const response = await fixture.request("commercial-console", "/api/infra/map", ADMIN);
      const { nodes }: InfraMap = await response.json();
      return nodes.filter(({ id }) => id === "log" || id.startsWith("witness:"))
        .map(({ id, state }) => `${id.split(":")[0]} ${state}`);
    },
    alerts: async () =>
      await Promise.all(
        CONSOLES.map(async (organisation) =>
          (await alerts.list(organisation)).alerts
            .filter(({ kind }) => /^(log|witness|service)_(?!forked)/.test(kind)) // that is the witness’s own
            .map(({ kind, state }) => `${kind} ${state}`).sort()
        ),
      ),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

const inBoth = (...alerts: string[]) => [alerts, alerts];

Deno.test("the map and the health page show the log and its witness, and a late entry raises an alert until it is logged", async () => {
  await using log = await setup();
  await log.publish();
  assertEquals(await log.map(), ["log up", "witness up"]);
  await log.add("late");
  log.time.now += 11 * MINUTE_MS;
  await log.check();
  assertEquals(await log.alerts(), inBoth("log_late unread"));
  assertEquals(await log.map(), ["log down", "witness up"]);
  assertMatch(
    await log.words("commercial-console", "/console/infra"),
    /Public log Part State Found Entries of the public log Problem The oldest one that is waiting was added 12 minutes ago .*Public log OK Accepts entries/,
  );
  await log.publish();
  await log.check();
  await log.check();
  assertEquals(await log.alerts(), inBoth("log_late done"));
});

Deno.test("a witness that does not countersign raises an alert, and is down in the map", async () => {
  await using log = await setup();
  await log.publish();
  log.time.now += 2 * HOUR_MS; // the job did not run
  await log.check();
  assertEquals(await log.alerts(), inBoth("witness_missing unread"));
  assertEquals(await log.map(), ["log down", "witness down"]);
  await log.check();
  assertEquals(await log.alerts(), inBoth("log_still unread", "witness_missing unread"));
});

Deno.test("a witness that has seen another tree halts the log, with an alert at once that has the evidence", async () => {
  await using log = await setup();
  await log.publish();
  await log.kv.delete(logState.key());
  await log.kv.delete(logCheckpoint.key());
  for (const { prefix } of [logTiles, logBundles, logIndex]) {
    for await (const { key } of log.kv.list({ prefix: [prefix] })) await log.kv.delete(key);
  }
  await log.add("another");
  await log.publish();
  assertEquals(await log.alerts(), inBoth("log_refused unread"));
  const alert = await log.words("commercial-console", "/console/alerts");
  assertStringIncludes(alert, "has countersigned a different tree from the one in the store");
  assertMatch(alert, /trust\.localhost:8000\/log 2 .* — trust\.localhost:8000\/log .* 422 /);

  assertEquals(await log.map(), ["log down"]);
  await log.check();
  assertEquals(await log.alerts(), inBoth("log_halted unread", "log_refused unread"));
  assertMatch(await log.words("trust", "/log"), /Halted Since .* the log has accepted nothing/);
  await log.kv.delete(logHalted.key());
  await log.check();
  await log.check();
  assertEquals(
    await log.alerts(),
    inBoth("log_halted done", "log_refused unread", "log_still unread"),
  );
});

Deno.test("/log shows size, age, a witness of the same operator as such, the new entries and the keys", async () => {
  await using log = await setup();
  assertMatch(await log.words("trust", "/log"), /Entries none yet .* Complete since not yet/);
  await log.add(...Array.from({ length: 300 }, (_, i) => `${i}`));
  await log.publish();
  log.time.now += 90 * MINUTE_MS;
  const words = await log.words("trust", "/log");
  assert(!words.includes("Stalled") && !words.includes("continues"));
  assertMatch(words, /Entries 302 302 in the last 30 days Newest checkpoint 1 hour ago /);
  assertMatch(
    words,
    /Countersigned by \S+ , which the same operator runs The newest checkpoint, on /,
  );
  assertStringIncludes(words, "No independent witness countersigns this log.");
  assert(!words.includes(" Independent "));
  log.time.now += 2 * HOUR_MS;
  await log.kv.set(logPrevious.key(), {
    ...{ origin: "old.example/log", keys: [], checkpoint: "", moved_at: "2026-02-01T00:00:00Z" },
  });
  const later = await log.words("trust", "/log");
  assertStringIncludes(later, "Stalled");
  assertStringIncludes(later, "The log that this one continues");
  const [key] = /trust\.localhost:8000\/log\+[0-9a-f]{8}\+\S{44}/.exec(words)!;
  assertStringIncludes(await log.words("trust", "/log/policy"), `log ${key} `);
});
