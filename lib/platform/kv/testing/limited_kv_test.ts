import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { openKv } from "../open.ts";
import { serveConnect } from "./connect_server.ts";
import { limitKv } from "./limited_kv.ts";
import { tempKv } from "./temp_kv.ts";

const limitedKv = async () => limitKv(await openKv(":memory:"));

const keys = (count: number) => Array.from({ length: count }, (_, i) => ["a", i]);
/** How many bytes of a commit are for its id. */
const RESERVED = 222;
const bytes = (count: number) => new Uint8Array(count);

function commitOf(kv: Deno.Kv, count: number, size: number): Deno.AtomicOperation {
  return keys(count).reduce((commit, key) => commit.set(key, bytes(size)), kv.atomic());
}

/** Pairs of an allowed operation and the same operation above the limit. */
const limits: Record<string, [number, (kv: Deno.Kv, count: number) => Promise<unknown>]> = {
  "watched keys": [10, async (kv, count) => {
    const reader = kv.watch(keys(count)).getReader();
    await reader.read();
    await reader.cancel();
  }],
  "checks of a commit": [
    9,
    (kv, count) => kv.atomic().check(...keys(count).map(missing)).commit(),
  ],
  "mutations of a commit": [999, (kv, count) => commitOf(kv, count, 1).commit()],
  // Each key counts twice: 12 of 12 bytes and one of 3.
  "bytes of a commit": [
    819_200 - RESERVED,
    (kv, count) =>
      commitOf(kv, 12, 65_536).set(["z"], bytes(count - 12 * 65_536 - 2 * (12 * 12 + 3))).commit(),
  ],
  "bytes of a value": [65_536, (kv, count) => kv.set(["a"], bytes(count))],
  // A string takes two bytes more than its characters.
  "bytes of a key": [2_048, (kv, count) => kv.set(["a".repeat(count - 2)], 1)],
  "entries of a list batch": [
    1_000,
    (kv, count) => Array.fromAsync(kv.list({ prefix: ["a"] }, { batchSize: count })),
  ],
};
const missing = (key: Deno.KvKey) => ({ key, versionstamp: null });

for (const [name, [limit, use]] of Object.entries(limits)) {
  Deno.test(`a limited store accepts ${limit} ${name} and rejects one more`, async () => {
    using kv = await limitedKv();
    await use(kv, limit);
    await assertRejects(() => use(kv, limit + 1), TypeError, "(max ");
  });
}

Deno.test("a store over a network accepts what a limited store accepts, also behind one", async () => {
  await using server = serveConnect();
  Deno.env.set("DENO_KV_ACCESS_TOKEN", server.token);
  using kv = await openKv(server.url);
  Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  const useAll = async (store: Deno.Kv) => {
    for (const name of Object.keys(limits).filter((name) => name.endsWith("of a commit"))) {
      const [limit, use] = limits[name];
      await use(store, limit);
    }
  };
  await useAll(kv);
  await useAll(limitKv(kv));
});

Deno.test("a limited store has no queues", async () => {
  using kv = await limitedKv();
  await assertRejects(() => kv.enqueue("mail"), Deno.errors.NotSupported, "lib/platform/jobs");
  await assertRejects(() => kv.listenQueue(() => {}), Deno.errors.NotSupported);
  assertThrows(() => kv.atomic().enqueue("mail"), Deno.errors.NotSupported);
});

Deno.test("a limited store reads and writes like the store it wraps", async () => {
  await using store = await tempKv();
  const kv = limitKv(store.kv);
  const { versionstamp } = await kv.set(["a"], { n: 1 }, { expireIn: 60_000 });
  assertEquals(await kv.get(["a"]), { key: ["a"], value: { n: 1 }, versionstamp });
  const taken = kv.atomic().check({ key: ["a"], versionstamp: null }).set(["a"], 2);
  assertEquals(await taken.commit(), { ok: false });
  const commit = kv.atomic().check({ key: ["a"], versionstamp }).delete(["a"])
    .set(["b"], "b", { expireIn: 60_000 }).sum(["n"], 3n).sum(["n"], 4n).min(["n"], 6n)
    .max(["n"], 5n).mutate({ type: "set", key: ["c"], value: "c" });
  assertEquals((await commit.commit()).ok, true);
  const entries = await store.kv.getMany([["a"], ["b"], ["c"], ["n"]]);
  assertEquals(entries.map(({ value }) => value), [null, "b", "c", new Deno.KvU64(6n)]);
  const listed = kv.list({ start: ["b"], end: ["d"] }, { reverse: true, limit: 1 });
  assertEquals((await listed.next()).value?.value, "c");
  assertEquals((await listed.next()).done, true);
  assertEquals(typeof listed.cursor, "string");
  await kv.delete(["b"]);
  assertEquals((await store.kv.get(["b"])).value, null);
});

Deno.test("a limited store gives rows another lifetime than their own, if they have one", async () => {
  const given: [key: Deno.KvKeyPart, expireIn: number | undefined][] = [];
  const inner = limitKv(
    await openKv(":memory:"),
    ([key], set) => given.push([key, set?.expireIn]),
  );
  const own: unknown[] = [];
  using kv = limitKv(inner, (_, set) => own.push(set?.expireIn), (ms) => ms * 1_000);
  await kv.set(["a"], 1, { expireIn: 60_000 });
  await kv.set(["b"], 1);
  await kv.atomic().set(["c"], 2, { expireIn: 90_000 }).set(["d"], 2).delete(["e"]).commit();
  assertEquals(own, [60_000, undefined, 90_000, undefined, undefined]);
  assertEquals(given.filter(([, expireIn]) => expireIn !== undefined), [
    ["a", 60_000_000],
    ["c", 90_000_000],
  ]);
  assertEquals(await Array.fromAsync(kv.list({ prefix: [] }), ({ value }) => value), [1, 1, 2, 2]);
});

Deno.test("awaiting an operation of a limited store without commit() throws", async () => {
  using kv = await limitedKv();
  await assertRejects(async () => void await kv.atomic().set(["a"], 1), TypeError, "commit()");
});

Deno.test("watch delivers the current values, then each write through the same store", async () => {
  using kv = await limitedKv();
  await kv.set(["a"], 1);
  const reader = kv.watch<[number, number]>([["a"], ["b"]]).getReader();
  const next = async () => (await reader.read()).value?.map(({ value }) => value);
  assertEquals(await next(), [1, null]);
  const writes: [() => Promise<unknown>, unknown[]][] = [
    [() => kv.set(["b"], 2), [1, 2]],
    [() => kv.delete(["a"]), [null, 2]],
    [() => kv.atomic().set(["a"], 3).delete(["b"]).commit(), [3, null]],
  ];
  for (const [write, expected] of writes) {
    const delivered = next();
    await write();
    assertEquals(await delivered, expected);
  }
});

Deno.test("watch delivers no failed commits, other keys or writes through another handle", async () => {
  await using store = await tempKv();
  using kv = limitKv(await openKv(store.path));
  const reader = kv.watch<[number]>([["a"]]).getReader();
  await reader.read();
  let delivered = 0;
  const next = reader.read().then(({ value }) => (delivered++, value?.[0].value));
  await store.kv.set(["a"], 1);
  await kv.set(["a", "b"], 2);
  await kv.atomic().check({ key: ["a"], versionstamp: null }).set(["a"], 3).commit();
  await kv.get(["a"]);
  assertEquals(delivered, 0);
  await kv.set(["a"], 4);
  assertEquals([await next, delivered], [4, 1]);
});

Deno.test("watch delivers several writes between two reads as one, and ends when the store closes", async () => {
  const kv = await limitedKv();
  const reader = kv.watch<[number]>([["a"]]).getReader();
  await reader.read();
  for (let i = 1; i <= 3; i++) await kv.set(["a"], i);
  assertEquals((await reader.read()).value?.[0].value, 3);
  const last = reader.read();
  kv.close();
  assertEquals((await last).done, true);
});
