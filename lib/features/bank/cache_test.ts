import { assert, assertEquals } from "@std/assert";
import { z } from "zod";
import { apart, openKv } from "../../platform/kv/mod.ts";
import {
  CACHE_LIFETIMES,
  type Cached,
  type CacheKey,
  createCached,
  type Lookup,
  type Source,
} from "./cache.ts";
import { createCacheStore, KEPT_MS } from "./cache_store.ts";
import type { BankError } from "./provider.ts";

const START = Date.parse("2026-03-01T08:00:00.000Z");
const schema = z.object({ n: z.number(), text: z.string().optional() });
type Data = z.infer<typeof schema>;

/** Returns a cache with its own clock, and a source that counts its loads. */
async function setUp(key: CacheKey = "bank:accounts") {
  const kv = await openKv(":memory:");
  const state = { now: START, loads: 0, error: null as BankError | null, text: "" };
  const source: Source<Data> = {
    key,
    schema,
    load: async () => {
      state.loads++;
      const { loads, text, error } = state;
      await new Promise((done) => setTimeout(done));
      return error ?? { n: loads, text };
    },
  };
  const open = (scope = "commercial:a", opened = source) =>
    createCached(createCacheStore(kv, scope), () => state.now, opened);
  return { kv, state, source, open, [Symbol.dispose]: () => kv.close() };
}

function cachedOf<Data>(lookup: Lookup<Data>): Cached<Data> {
  if ("error" in lookup) throw new Error(JSON.stringify(lookup.error));
  return lookup;
}

const LIFETIMES: [CacheKey, number][] = [
  ["bank:accounts", 15 * 60_000],
  ["bank:org", 24 * 3_600_000],
  ["bank:last_activity", 15 * 60_000],
];
for (const [key, lifetime] of LIFETIMES) {
  Deno.test(`${key} is fresh until just before the end of its lifetime`, async () => {
    using fixture = await setUp(key);
    const { state } = fixture;
    const cache = fixture.open();
    assertEquals(CACHE_LIFETIMES[key], lifetime);
    const first = { data: { n: 1, text: "" }, cached_at: "2026-03-01T08:00:00.000Z" };
    assertEquals(await cache.get(), first);
    state.now = START + lifetime - 1;
    assertEquals(await cache.get(), first);
    state.now = START + lifetime;
    const cached_at = new Date(state.now).toISOString();
    assertEquals(await cache.get(), { data: { n: 2, text: "" }, cached_at });
    assertEquals(state.loads, 2);
  });
}

Deno.test("data that another process has refreshed is returned by the next read", async () => {
  using fixture = await setUp();
  const { state } = fixture;
  const [one, other] = [fixture.open(), fixture.open()];
  assertEquals(cachedOf(await one.get()).data.n, 1);
  assertEquals(cachedOf(await one.get()).data.n, 1);
  await other.refresh();
  assertEquals(cachedOf(await one.get()).data.n, 2);
  assertEquals((await one.stored())?.data.n, 2);
  assertEquals(state.loads, 2);
});

Deno.test("an entry is stored with the fields of spec 2.1", async () => {
  using fixture = await setUp();
  await fixture.open().get();
  const { value } = await fixture.kv.get(["bank_cache", "commercial:a", "bank:accounts"]);
  assertEquals(value, {
    cache_key: "bank:accounts",
    data: '{"n":1,"text":""}',
    cached_at: "2026-03-01T08:00:00.000Z",
    expires_at: "2026-03-01T08:15:00.000Z",
  });
});

Deno.test("errors include the last good data for 30 days", async () => {
  using fixture = await setUp();
  const { state } = fixture;
  const cache = fixture.open();
  const old = await cache.get();
  state.error = { error: "rate_limited" };
  state.now = START + CACHE_LIFETIMES["bank:accounts"];
  assertEquals(await cache.get(), { error: state.error, old });
  state.now = START + KEPT_MS - 1;
  assertEquals(await cache.get(), { error: state.error, old });
  state.now = START + KEPT_MS;
  assertEquals(await cache.get(), { error: state.error, old: null });
  assertEquals(state.loads, 4);
  state.error = null;
  assertEquals(await cache.get(), {
    data: { n: 5, text: "" },
    cached_at: "2026-03-31T08:00:00.000Z",
  });
});

Deno.test("50 concurrent reads load once, even if the load fails", async () => {
  using fixture = await setUp();
  const { state } = fixture;
  const cache = fixture.open();
  const readAtOnce = () => Promise.all(Array.from({ length: 50 }, () => cache.get()));
  state.error = { error: "network_error" };
  assertEquals(new Set(await readAtOnce()).size, 1);
  assertEquals(state.loads, 1);
  state.error = null;
  assertEquals(new Set(await readAtOnce()).size, 1);
  assertEquals(state.loads, 2);
  await readAtOnce();
  assertEquals(state.loads, 2);
});

Deno.test("20 concurrent refreshes load once, and readers get the new data", async () => {
  using fixture = await setUp();
  const { state } = fixture;
  const cache = fixture.open();
  await cache.get();
  const refreshed = Array.from({ length: 20 }, () => cache.refresh());
  const results = await Promise.all([...refreshed, cache.get()]);
  assertEquals(results.map((result) => cachedOf(result).data.n), [
    ...Array.from({ length: 21 }, () => 2),
  ]);
  assertEquals(state.loads, 2);
});

Deno.test("refresh() waits for a load in flight, so older data cannot overwrite newer", async () => {
  using fixture = await setUp();
  const gate = Promise.withResolvers<void>();
  let loads = 0;
  const load = async () => {
    const n = ++loads;
    if (n === 1) await gate.promise;
    return { n };
  };
  const cache = fixture.open("commercial:a", { ...fixture.source, load });
  const lookups = Promise.all([cache.get(), cache.refresh()]);
  setTimeout(gate.resolve, 20);
  assertEquals((await lookups).map((lookup) => cachedOf(lookup).data.n), [1, 2]);
  assertEquals(cachedOf(await fixture.open().get()).data.n, 2);
  assertEquals(loads, 2);
});

Deno.test("a failed refresh keeps the old data, which stays expired", async () => {
  using fixture = await setUp();
  const { state } = fixture;
  const cache = fixture.open();
  const old = await cache.get();
  state.error = { error: "network_error" };
  assertEquals(await cache.refresh(), { error: state.error, old });
  assertEquals(await cache.get(), { error: state.error, old });
  assertEquals(state.loads, 3);
});

Deno.test("data is shared between instances with the same scope, but not between scopes", async () => {
  using fixture = await setUp();
  const lookups = [];
  for (const scope of ["commercial:a", "commercial:b", "foundation:a", "commercial:a"]) {
    lookups.push(await fixture.open(scope).get());
  }
  assertEquals(lookups.map((lookup) => cachedOf(lookup).data.n), [1, 2, 3, 1]);
});

Deno.test("data of any length is stored completely, and old parts are removed", async () => {
  using fixture = await setUp();
  const { kv, state } = fixture;
  const texts = [
    "ü".repeat(29_000),
    "€".repeat(40_000),
    "x".repeat(2_000_000),
    "🏦".repeat(70_000),
    "",
  ];
  for (const text of texts) {
    state.text = text;
    state.now += CACHE_LIFETIMES["bank:accounts"];
    const fresh = await fixture.open().get();
    const stored = cachedOf(await fixture.open().get());
    assert(stored.data.text === text, `${text.length}`);
    assertEquals(stored, fresh);
    const json = JSON.stringify(stored.data);
    const bytes = new TextEncoder().encode(json).length;
    const entries = await Array.fromAsync(kv.list({ prefix: ["bank_cache"] }));
    assertEquals(entries.length, json.length <= 30_000 ? 1 : 1 + Math.ceil(bytes / 60_000));
  }
});

Deno.test("a read during the replacement of long data sees one complete version", async () => {
  using fixture = await setUp();
  const { state, source } = fixture;
  const failure: BankError = { error: "network_error" };
  const failing = { ...source, load: () => Promise.resolve(failure) };
  const [writer, reader] = [fixture.open(), fixture.open("commercial:a", failing)];
  const length = 900_000;
  state.text = "0".repeat(length);
  await writer.get();
  let writing = true;
  const writes = (async () => {
    for (let round = 1; round < 8; round++) {
      state.text = `${round}`.repeat(length);
      await writer.refresh();
    }
    writing = false;
  })();
  let reads = 0;
  while (writing) {
    const lookup = await reader.get();
    const cached = "data" in lookup ? lookup : lookup.old;
    const text = cached?.data.text ?? "";
    assertEquals(text.length, length);
    assert(text === text[0].repeat(length));
    reads++;
  }
  await writes;
  assert(reads > 3, `${reads}`);
});

Deno.test("data written while expire() runs is not lost", async () => {
  using fixture = await setUp();
  const store = createCacheStore(fixture.kv, "commercial:a");
  const [cached_at, expires_at] = ["2026-03-01T08:00:00.000Z", "2026-03-01T08:15:00.000Z"];
  await store.write("bank:org", { data: "old", cached_at, expires_at }, START);
  let reads = 0;
  const interrupted = {
    async get(key: Deno.KvKey) {
      const entry = await fixture.kv.get(key);
      if (reads++ === 0) {
        await apart(
          "Another process writes.",
          () => store.write("bank:org", { data: "new", cached_at, expires_at }, START),
        );
      }
      return entry;
    },
    atomic: () => fixture.kv.atomic(),
  } as unknown as Deno.Kv;
  await createCacheStore(interrupted, "commercial:a").expire("bank:org", START);
  assertEquals(await store.read("bank:org", START), {
    data: "new",
    cached_at,
    expires_at: cached_at,
  });
});

Deno.test("data that does not match the schema is ignored", async () => {
  using fixture = await setUp();
  const { state, source } = fixture;
  await fixture.open().get();
  state.error = { error: "network_error" };
  const other = { ...source, schema: z.object({ n: z.number(), more: z.string() }) };
  const lookup = await fixture.open("commercial:a", other as unknown as Source<Data>).get();
  assertEquals(lookup, { error: state.error, old: null });
});
