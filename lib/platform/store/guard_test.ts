import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { Config } from "../../app/config.ts";
import { ConfigError } from "../config/error.ts";
import { FORMAT, FORMAT_KEY, OLDEST, openKv, ReadOnlyError } from "../kv/mod.ts";
import { DeathError, dyingKv } from "../kv/testing/dying_kv.ts";
import { limitKv } from "../kv/testing/limited_kv.ts";
import { tempKv } from "../kv/testing/temp_kv.ts";
import { createStoreGuard } from "./guard.ts";
import { refusesFormat } from "./refuses_format.ts";
import { STORE_KEY, type StoreMarker } from "./marker.ts";

const PRODUCTION: Config["store"] = { readOnly: false, id: null, region: null, allowEmpty: false };
const RESTORED = {
  exported_at: "2026-03-09T10:00:00.000Z",
  imported_at: "2026-03-09T11:00:00.000Z",
  trust_host: "trust.example",
};

function guardOf(
  kv: Deno.Kv,
  store: Partial<Config["store"]> = {},
  publisher = "trust.example",
  kvPath = ":memory:",
  readLimitMs = 60_000, // longer than a read takes on any machine
) {
  const logged: Record<string, unknown>[] = [];
  const scheduled: (() => void)[] = [];
  const guard = createStoreGuard({
    kv,
    clock: () => 0,
    config: { store: { ...PRODUCTION, ...store }, kvPath },
    publisher,
    schedule(run) {
      scheduled.push(run);
      return () => {};
    },
    log: (entry) => logged.push(entry),
    readLimitMs,
  });
  return { guard, logged, scheduled };
}

const linesOf = async (work: Promise<unknown>) =>
  (await assertRejects(() => work, ConfigError)).lines;

Deno.test("production refuses an empty store unless ALLOW_EMPTY_STORE is set", async () => {
  using kv = await openKv(":memory:");
  const [line] = await linesOf(guardOf(kv).guard.claim());
  assertMatch(line, /^ALLOW_EMPTY_STORE: the store is empty.*no database is assigned/);
  const { guard } = guardOf(kv, { allowEmpty: true });
  await guard.claim();
  const { value } = await kv.get<StoreMarker>(STORE_KEY);
  assertEquals(value, { id: guard.id!, created_at: "1970-01-01T00:00:00.000Z" });
  assertEquals((await kv.get(FORMAT_KEY)).value, { version: FORMAT });
  const next = guardOf(kv).guard;
  await next.claim();
  assertEquals(next.id, guard.id);
});

const OLD: [name: string, rows: [Deno.KvKey, unknown][]][] = [
  ["of the format before the oldest", [[FORMAT_KEY, { version: OLDEST - 1 }], [
    ["users_last_id"],
    1,
  ]]],
  ["of that format with nothing but its id", [
    [FORMAT_KEY, { version: OLDEST - 1 }],
    [STORE_KEY, { id: "3f2a", created_at: "" }],
  ]],
  ["with rows but no format", [[["users_last_id"], 1]]],
  ["with its id, other rows and no format", [
    [STORE_KEY, { id: "3f2a", created_at: "" }],
    [["users_last_id"], 1],
  ]],
];

for (const [name, rows] of OLD) {
  Deno.test(`a store ${name} is refused with what to do, and nothing is written to it`, async () => {
    using kv = await openKv(":memory:");
    for (const [key, value] of rows) await kv.set(key, value);
    const stored = () => Array.fromAsync(kv.list({ prefix: [] }));
    const before = await stored();
    const { guard } = guardOf(kv, { allowEmpty: true }, "trust.example", ".data/gatehouse.kv");
    const [line, ...others] = await linesOf(guard.claim());
    assertMatch(line, /^KV_PATH: was made before the first release \((no format|format \d+), /);
    assertMatch(line, /move all files \.data\/gatehouse\.kv\* away together; in production, also /);
    assertMatch(line, /the witness's store and the anchor away, or the new log halts/);
    assertEquals([others, line.includes("\n")], [[], false]);
    assertEquals(await stored(), before);
  });
}

Deno.test("a start that dies before or after the first commit of a new store leaves a store that the next start opens", async () => {
  for (const commits of [0, 1]) {
    using kv = await openKv(":memory:");
    const killed = dyingKv(kv, commits);
    const first = guardOf(killed, { allowEmpty: true }).guard;
    const died = first.claim(() => killed.set(["users_last_id"], 1));
    await assertRejects(() => died, DeathError);
    const rows = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => String(key[0]));
    assertEquals(rows, commits === 0 ? [] : ["format", "store"]);
    const { guard } = guardOf(kv, { allowEmpty: true });
    await guard.claim();
    if (commits === 1) assertEquals(guard.id, first.id);
    assertEquals((await kv.get(FORMAT_KEY)).value, { version: FORMAT });
  }
});

Deno.test("a store that has only its own id is new, and keeps it", async () => {
  using kv = await openKv(":memory:");
  await kv.set(STORE_KEY, { id: "3f2a", created_at: "" });
  const { guard } = guardOf(kv);
  await guard.claim();
  assertEquals([guard.id, (await kv.get(FORMAT_KEY)).value], ["3f2a", { version: FORMAT }]);
});

Deno.test("two processes that start with a new store at the same time get the same id", async () => {
  using kv = await openKv(":memory:");
  const guards = [1, 2].map(() => guardOf(kv, { allowEmpty: true }).guard);
  await Promise.all(guards.map((guard) => guard.claim()));
  assertEquals(guards[0].id, guards[1].id);
});

Deno.test("a store that another process begins after its format was read is accepted", async () => {
  using kv = await openKv(":memory:");
  const { guard } = guardOf(kv, { allowEmpty: true });
  let reads = 0;
  const late = {
    async get(key: Deno.KvKey) {
      const entry = await kv.get(key);
      if (++reads === 1) await guard.claim();
      return entry;
    },
    list: kv.list.bind(kv),
  };
  assertEquals(await refusesFormat(late as Deno.Kv, undefined), null);
  assertEquals(reads, 2);
});

Deno.test("with STORE_ID, only the store with this id is accepted", async () => {
  using kv = await openKv(":memory:");
  const expected = { id: "3f2a", allowEmpty: true };
  assertMatch((await linesOf(guardOf(kv, expected).guard.claim()))[0], /^STORE_ID: .*has no id/);
  await kv.set(STORE_KEY, { id: "b771", created_at: "" });
  assertMatch((await linesOf(guardOf(kv, expected).guard.claim()))[0], /has the id b771/);
  await kv.set(STORE_KEY, { id: "3f2a", created_at: "" });
  await guardOf(kv, expected).guard.claim();
});

Deno.test("a store that a newer build wrote is refused and not marked", async () => {
  using kv = await openKv(":memory:");
  await kv.set(FORMAT_KEY, { version: FORMAT + 1 });
  assertMatch((await linesOf(guardOf(kv).guard.claim()))[0], /^KV_PATH: .*newer version/);
  assertEquals((await kv.get(STORE_KEY)).value, null);
});

Deno.test("while the marker is missing or different, nothing is written, and this is logged once", async () => {
  using kv = await openKv(":memory:");
  const { guard, logged, scheduled } = guardOf(limitKv(kv), { allowEmpty: true });
  await guard.claim();
  const marker = (await kv.get<StoreMarker>(STORE_KEY)).value!;
  guard.start();
  await kv.delete(STORE_KEY);
  scheduled.pop()!();
  assertEquals(await guard.check(), "changed"); // the same read
  assertEquals(guard.readOnly, "store_changed");
  await kv.set(STORE_KEY, { ...marker, id: "other" });
  assertEquals(await guard.check(), "changed");
  assertEquals(scheduled.length, 1); // the next check
  await kv.set(STORE_KEY, marker);
  assertEquals(await guard.check(), "ok");
  assertEquals(guard.readOnly, null);
  assertEquals(logged, [
    { level: "error", event: "store_changed", expected: guard.id, found: null },
    { level: "error", event: "store_back", expected: guard.id, found: guard.id },
  ]);
});

Deno.test("while the store's file is moved away or replaced, nothing is written", async () => {
  await using store = await tempKv();
  const kv = limitKv(store.kv);
  const { guard, logged } = guardOf(kv, { allowEmpty: true }, "trust.example", store.path);
  await guard.claim();
  assertEquals(await guard.check(), "ok");
  const away = `${store.path}.away`;
  await Deno.rename(store.path, away);
  assertEquals([await guard.check(), guard.readOnly], ["changed", "store_changed"]);
  await Deno.copyFile(away, store.path);
  assertEquals([await guard.check(), guard.readOnly], ["changed", "store_changed"]);
  await Deno.rename(away, store.path);
  assertEquals([await guard.check(), guard.readOnly], ["ok", null]);
  assertEquals(logged, [
    { level: "error", event: "store_changed", expected: guard.id, found: null },
    { level: "error", event: "store_back", expected: guard.id, found: guard.id },
  ]);
});

Deno.test("a restored copy is read-only on its own host until it is reconciled", async () => {
  using kv = await openKv(":memory:");
  const marker = { id: "3f2a", created_at: "" };
  await kv.set(STORE_KEY, { ...marker, restored: RESTORED });
  const { guard, logged } = guardOf(limitKv(kv));
  await guard.claim();
  assertEquals(guard.readOnly, "restored");
  assertEquals(logged, [
    { level: "warn", event: "restored_copy", copied_at: RESTORED.exported_at },
  ]);
  const elsewhere = guardOf(limitKv(kv), {}, "trust.other.example");
  await elsewhere.guard.claim();
  assertEquals([elsewhere.guard.readOnly, elsewhere.logged], [null, []]);
  await kv.set(STORE_KEY, marker);
  assertEquals([await guard.check(), guard.readOnly], ["ok", null]);
});

Deno.test("READ_ONLY opens a store that has been started before, and refuses a new one and another one", async () => {
  using kv = await openKv(":memory:");
  const readOnly = { readOnly: true, allowEmpty: true };
  await assertRejects(() => guardOf(limitKv(kv), readOnly).guard.claim(), ReadOnlyError);
  assertEquals(await Array.fromAsync(kv.list({ prefix: [] })), []);
  await guardOf(kv, { allowEmpty: true }).guard.claim();
  const { guard } = guardOf(limitKv(kv), readOnly);
  await guard.claim();
  assertEquals([guard.id === null, guard.readOnly], [false, "configured"]);
  await linesOf(guardOf(kv, { readOnly: true, id: "3f2a" }).guard.claim());
});

Deno.test("a read that hangs is not repeated, and the check ends after its limit", async () => {
  using kv = await openKv(":memory:");
  let reads = 0;
  const hanging = limitKv(kv);
  Object.assign(hanging, { get: () => (reads++, new Promise(() => {})) });
  const { guard } = guardOf(hanging, {}, undefined, undefined, 100);
  const checks = [guard.check(), guard.check()];
  assertEquals(await Promise.all(checks), ["no_response", "no_response"]);
  assertEquals(reads, 1);
});

Deno.test("a restored copy is migrated at the start, and read-only after that", async () => {
  using kv = await openKv(":memory:");
  await kv.set(STORE_KEY, { id: "3f2a", created_at: "", restored: RESTORED });
  await kv.set(FORMAT_KEY, { version: FORMAT });
  const limited = limitKv(kv);
  const { guard } = guardOf(limited);
  await guard.claim(() => limited.set(["users_last_id"], 1));
  assertEquals((await kv.get(["users_last_id"])).value, 1);
  assertEquals(guard.readOnly, "restored");
});
