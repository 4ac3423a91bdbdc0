import { assert, assertEquals } from "@std/assert";
import { z } from "zod";
import { openKv } from "../kv/mod.ts";
import { CACHE_LIFETIMES, type CacheKey, createBankCache, type Source } from "./cache.ts";
import { createCacheStore, KEPT_MS } from "./cache_store.ts";
import type { BankError } from "./errors.ts";
import { cacheScope } from "./scope.ts";
import { cachedOf } from "./testing/results.ts";

const START = Date.parse("2026-03-01T08:00:00.000Z");
const schema = z.object({ n: z.number(), text: z.string().optional() });
type Data = z.infer<typeof schema>;

/** A cache on a clock of its own, before a provider that counts how often it is asked. */
async function setUp(key: CacheKey = "bank:accounts") {
  const kv = await openKv(":memory:");
  const state = { now: START, asked: 0, error: null as BankError | null, text: "" };
  const source: Source<Data> = {
    key,
    schema,
    load: async () => {
      state.asked++;
      const { asked, text, error } = state;
      await new Promise((done) => setTimeout(done));
      return error ?? { n: asked, text };
    },
  };
  const open = (scope = "commercial:a") => createBankCache({ kv, clock: () => state.now, scope });
  return { kv, state, source, open, [Symbol.dispose]: () => kv.close() };
}

const LIFETIMES: [CacheKey, number][] = [
  ["bank:accounts", 15 * 60_000],
  ["bank:org", 24 * 3_600_000],
  ["bank:last_activity", 15 * 60_000],
];
for (const [key, lifetime] of LIFETIMES) {
  Deno.test(`${key} is fresh until the end of its lifetime, and not at it`, async () => {
    using world = await setUp(key);
    const { state, source } = world;
    const cache = world.open();
    assertEquals(CACHE_LIFETIMES[key], lifetime);
    const first = { data: { n: 1, text: "" }, cached_at: "2026-03-01T08:00:00.000Z" };
    assertEquals(await cache.get(source), first);
    state.now = START + lifetime - 1;
    assertEquals(await cache.get(source), first);
    state.now = START + lifetime;
    const cached_at = new Date(state.now).toISOString();
    assertEquals(await cache.get(source), { data: { n: 2, text: "" }, cached_at });
    assertEquals(state.asked, 2);
  });
}

Deno.test("an entry stands in the store with the fields of the table", async () => {
  using world = await setUp();
  await world.open().get(world.source);
  const { value } = await world.kv.get(["bank_cache", "commercial:a", "bank:accounts"]);
  assertEquals(value, {
    cache_key: "bank:accounts",
    data: '{"n":1,"text":""}',
    cached_at: "2026-03-01T08:00:00.000Z",
    expires_at: "2026-03-01T08:15:00.000Z",
  });
});

Deno.test("an error comes with the last good data, for 30 days", async () => {
  using world = await setUp();
  const { state, source } = world;
  const cache = world.open();
  const old = await cache.get(source);
  state.error = { error: "rate_limited" };
  state.now = START + CACHE_LIFETIMES["bank:accounts"];
  assertEquals(await cache.get(source), { error: state.error, old });
  state.now = START + KEPT_MS - 1;
  assertEquals(await cache.get(source), { error: state.error, old });
  state.now = START + KEPT_MS;
  assertEquals(await cache.get(source), { error: state.error, old: null });
  assertEquals(state.asked, 4);
  state.error = null;
  assertEquals(await cache.get(source), {
    data: { n: 5, text: "" },
    cached_at: "2026-03-31T08:00:00.000Z",
  });
});

Deno.test("of many who ask at once one asks the provider, also for an error", async () => {
  using world = await setUp();
  const { state, source } = world;
  const cache = world.open();
  const ask = () => Promise.all(Array.from({ length: 50 }, () => cache.get(source)));
  state.error = { error: "network_error" };
  assertEquals(new Set(await ask()).size, 1);
  assertEquals(state.asked, 1);
  state.error = null;
  assertEquals(new Set(await ask()).size, 1);
  assertEquals(state.asked, 2);
  await ask();
  assertEquals(state.asked, 2);
});

Deno.test("refresh asks again, many at once ask once, and readers get what it brings", async () => {
  using world = await setUp();
  const { state, source } = world;
  const cache = world.open();
  await cache.get(source);
  const refreshed = Array.from({ length: 20 }, () => cache.refresh(source));
  const results = await Promise.all([...refreshed, cache.get(source)]);
  assertEquals(results.map((result) => cachedOf(result).data.n), [
    ...Array.from({ length: 21 }, () => 2),
  ]);
  assertEquals(state.asked, 2);
});

Deno.test("refresh waits for a call that is under way: its older answer does not come out on top", async () => {
  using world = await setUp();
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  const load = async () => {
    const n = ++asked;
    if (n === 1) await gate.promise;
    return { n };
  };
  const source = { ...world.source, load };
  const cache = world.open();
  const lookups = Promise.all([cache.get(source), cache.refresh(source)]);
  setTimeout(gate.resolve, 20);
  assertEquals((await lookups).map((lookup) => cachedOf(lookup).data.n), [1, 2]);
  assertEquals(cachedOf(await world.open().get(source)).data.n, 2);
  assertEquals(asked, 2);
});

Deno.test("a refresh that fails leaves the data expired, and there", async () => {
  using world = await setUp();
  const { state, source } = world;
  const cache = world.open();
  const old = await cache.get(source);
  state.error = { error: "network_error" };
  assertEquals(await cache.refresh(source), { error: state.error, old });
  assertEquals(await cache.get(source), { error: state.error, old });
  assertEquals(state.asked, 3);
});

Deno.test("another scope never sees the data; another instance of the same does", async () => {
  using world = await setUp();
  const { source } = world;
  const lookups = [];
  for (const scope of ["commercial:a", "commercial:b", "foundation:a", "commercial:a"]) {
    lookups.push(await world.open(scope).get(source));
  }
  assertEquals(lookups.map((lookup) => cachedOf(lookup).data.n), [1, 2, 3, 1]);
});

Deno.test("data of any length is stored without loss, and its old parts are removed", async () => {
  using world = await setUp();
  const { kv, state, source } = world;
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
    const fresh = await world.open().get(source);
    const stored = cachedOf(await world.open().get(source));
    assert(stored.data.text === text, `${text.length}`);
    assertEquals(stored, fresh);
    const json = JSON.stringify(stored.data);
    const bytes = new TextEncoder().encode(json).length;
    const entries = await Array.fromAsync(kv.list({ prefix: ["bank_cache"] }));
    assertEquals(entries.length, json.length <= 30_000 ? 1 : 1 + Math.ceil(bytes / 60_000));
  }
});

Deno.test("whoever reads while long data is replaced sees the one or the other, whole", async () => {
  using world = await setUp();
  const { state, source } = world;
  const [writer, reader] = [world.open(), world.open()];
  const length = 900_000;
  state.text = "0".repeat(length);
  await writer.get(source);
  let writing = true;
  const writes = (async () => {
    for (let round = 1; round < 8; round++) {
      state.text = `${round}`.repeat(length);
      await writer.refresh(source);
    }
    writing = false;
  })();
  let reads = 0;
  const old = { error: "network_error" } as const;
  while (writing) {
    const lookup = await reader.get({ ...source, load: () => Promise.resolve(old) });
    const cached = "data" in lookup ? lookup : lookup.old;
    const text = cached?.data.text ?? "";
    assertEquals(text.length, length);
    assert(text === text[0].repeat(length));
    reads++;
  }
  await writes;
  assert(reads > 3, `${reads}`);
});

Deno.test("data that is written while the entry is made to expire is not lost", async () => {
  using world = await setUp();
  const store = createCacheStore(world.kv, "commercial:a");
  const [cached_at, expires_at] = ["2026-03-01T08:00:00.000Z", "2026-03-01T08:15:00.000Z"];
  await store.write("bank:org", { data: "old", cached_at, expires_at }, START);
  let reads = 0;
  const overtaken = {
    async get(key: Deno.KvKey) {
      const entry = await world.kv.get(key);
      if (reads++ === 0) {
        await store.write("bank:org", { data: "new", cached_at, expires_at }, START);
      }
      return entry;
    },
    atomic: () => world.kv.atomic(),
  } as unknown as Deno.Kv;
  await createCacheStore(overtaken, "commercial:a").expire("bank:org", START);
  assertEquals(await store.read("bank:org", START), {
    data: "new",
    cached_at,
    expires_at: cached_at,
  });
});

Deno.test("data in a shape of another version counts as none", async () => {
  using world = await setUp();
  const { state, source } = world;
  await world.open().get(source);
  state.error = { error: "network_error" };
  const other = { ...source, schema: z.object({ n: z.number(), more: z.string() }) };
  assertEquals(
    await world.open().get({ ...other, load: () => Promise.resolve({ error: "network_error" }) }),
    { error: { error: "network_error" }, old: null },
  );
});

Deno.test("a scope tells surface, token and account apart, and does not tell the token", () => {
  const scopes = [
    cacheScope("foundation", "secret-token:a"),
    cacheScope("commercial", "secret-token:a"),
    cacheScope("foundation", "secret-token:b"),
    cacheScope("foundation", "secret-token:a", "0b6ea12a"),
  ];
  assertEquals(new Set(scopes).size, 4);
  assert(scopes.every((scope) => !scope.includes("secret")));
  assertEquals(scopes[0], cacheScope("foundation", "secret-token:a"));
});
