import { assert, assertEquals, assertRejects } from "@std/assert";
import { HANG_MS } from "../../testing/times.ts";
import { StoreUnavailableError } from "./deadlines.ts";
import { openKv } from "./open.ts";
import { reserveCheck } from "./operation.ts";
import { ReadOnlyError } from "./read_only.ts";
import { confirmStore, rulesOf } from "./store_kv.ts";
import { serveConnect } from "./testing/connect_server.ts";

const MARKER = ["store"];

/** Lets a store's commits know it by the row that it has now. */
async function identify(kv: Deno.Kv, place = { isIt: true }) {
  const { value } = await kv.get<{ id: string }>(MARKER);
  let row: Deno.AtomicCheck;
  const note = ({ key, value: found, versionstamp }: Deno.KvEntryMaybe<unknown>) => {
    const isSame = (found as { id: string } | null)?.id === value!.id;
    if (isSame) row = { key, versionstamp };
    return isSame;
  };
  note(await kv.get(MARKER));
  rulesOf(kv).identity = {
    get row() {
      return row;
    },
    note,
    isInPlace: () => Promise.resolve(place.isIt),
    isOther: false,
  };
}

async function remoteStore() {
  const server = serveConnect();
  Deno.env.set("DENO_KV_ACCESS_TOKEN", server.token);
  const kv = await openKv(server.url);
  const other = await Deno.openKv(server.url);
  Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  await kv.set(MARKER, { id: "one" });
  await identify(kv);
  return {
    server,
    kv,
    other,
    /** Lets another store take this one's place, with rows of its own. */
    async replace(id: string) {
      server.replaceStores();
      for (let i = 0; i < 5; i++) await other.set(MARKER, { id });
    },
    rows: async () => await Array.fromAsync(other.list({ prefix: [] }), ({ key }) => key.join("/")),
    async [Symbol.asyncDispose]() {
      kv.close();
      other.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const missing = (n: number): Deno.AtomicCheck[] =>
  Array.from({ length: n }, (_, i) => ({ key: ["missing", i], versionstamp: null }));

Deno.test("nothing is written to a store that has taken the place of another one, by any commit", async () => {
  await using store = await remoteStore();
  const { kv, server } = store;
  const writes = [
    () => kv.set(["a"], 1),
    () => kv.atomic().sum(["n"], 1n).commit(),
    () => kv.atomic().check(...missing(8)).set(["a"], 1).commit(),
    () => kv.atomic().check(...missing(9)).set(["a"], 1).commit(),
  ];
  for (const id of [null, "two"]) {
    for (const write of writes) {
      if (id === null) server.replaceStores();
      else await store.replace(id);
      const error = await assertRejects(write);
      assert(error instanceof StoreUnavailableError || error instanceof ReadOnlyError);
      assertEquals(await store.rows(), id === null ? [] : ["store"]);
    }
    await assertRejects(() => confirmStore(kv), ReadOnlyError);
  }
});

Deno.test("a commit succeeds if the row of its store's id was written again, and fails if its own check does", async () => {
  await using store = await remoteStore();
  const { kv, other, server } = store;
  const change = () => other.set(MARKER, { id: "one", changed: true });
  await change();
  assertEquals((await kv.atomic().sum(["n"], 1n).commit()).ok, true);
  await change();
  const failed = await kv.atomic().check({ key: MARKER, versionstamp: null }).commit();
  assertEquals(failed.ok, false);
  await kv.set(["missing", 0], 1);
  await change();
  assertEquals((await kv.atomic().check(...missing(1)).sum(["n"], 1n).commit()).ok, false);
  for (const fate of ["unavailable", "cut"] as const) {
    await change();
    server.upcoming.push(fate);
    assertEquals((await kv.atomic().sum(["n"], 1n).commit()).ok, true);
    server.upcoming.push("delivered", fate);
    await change();
    assertEquals((await kv.atomic().sum(["n"], 1n).commit()).ok, true);
  }
  assertEquals((await kv.get(["n"])).value, new Deno.KvU64(5n));
});

Deno.test("a conflict on a remote store takes no more calls because the commit knows its store", async () => {
  await using store = await remoteStore();
  const { kv, server } = store;
  await kv.set(["missing", 0], 1);
  const before = server.commits;
  assertEquals((await kv.atomic().check(...missing(1)).set(["a"], 1).commit()).ok, false);
  assertEquals(server.commits, before + 1, "the attempt is abandoned, and nothing is read");
});

Deno.test("on a file, a commit that keeps a check for the store's id fails once that has changed or the file was moved", async () => {
  using kv = await openKv(":memory:");
  await kv.set(MARKER, { id: "one" });
  const place = { isIt: true };
  await identify(kv, place);
  const append = () => {
    const commit = kv.atomic().sum(["n"], 1n);
    reserveCheck(commit);
    return commit.commit();
  };
  assertEquals((await append()).ok, true);
  await kv.set(MARKER, { id: "one" });
  assertEquals((await append()).ok, true);
  place.isIt = false;
  await assertRejects(append, ReadOnlyError);
  await assertRejects(() => confirmStore(kv), ReadOnlyError);
  place.isIt = true;
  await kv.set(MARKER, { id: "two" });
  await assertRejects(append, StoreUnavailableError);
  assertEquals((await kv.get(["n"])).value, new Deno.KvU64(2n));
  assertEquals(
    (await kv.atomic().sum(["n"], 1n).commit()).ok,
    true,
    "others are left to the guard",
  );
});

Deno.test("the probe that finds out whether a store accepts writes changes nothing in another one", async () => {
  await using store = await remoteStore();
  const tryToWrite = () => rulesOf(store.kv).tryToWrite(new AbortController().signal);
  const before = store.server.commits;
  assertEquals(await tryToWrite(), null);
  assertEquals(store.server.commits, before + 1);
  await store.replace("two");
  assertEquals(await tryToWrite(), null);
  assertEquals(await store.rows(), ["store"]);
});

Deno.test("a read of another store than the site's own is refused, and only a request without writes has changed nothing", async () => {
  await using store = await remoteStore();
  const { kv } = store;
  const rules = rulesOf(kv);
  const { identity } = rules;
  const outcomeOf = (...writes: string[]) =>
    rules.deadlines.within(HANG_MS, async () => {
      rules.identity = identity;
      for (const write of writes) await kv.set([write], 1);
      rules.identity = { ...identity!, isOther: true };
      const { outcome } = await assertRejects(() => kv.get(["a"]), StoreUnavailableError);
      return outcome;
    });
  assertEquals([await outcomeOf(), await outcomeOf("b")], ["unchanged", "unknown"]);
});
