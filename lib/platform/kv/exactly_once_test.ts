import { assert, assertEquals, assertFalse, assertRejects } from "@std/assert";
import { DAY_MS } from "../../base/time.ts";
import { TooManyChecksError } from "./check_limit.ts";
import { commitTable } from "./exactly_once.ts";
import { openKv } from "./open.ts";
import type { Fate } from "./testing/connect/network.ts";
import { serveConnect } from "./testing/connect_server.ts";
import { tempKv, valuesOf } from "./testing/temp_kv.ts";
import { transact } from "./transact.ts";

/** Two connections to one store. */
async function remoteStore() {
  const server = serveConnect();
  Deno.env.set("DENO_KV_ACCESS_TOKEN", server.token);
  const [kv, other] = [await openKv(server.url), await openKv(server.url)];
  Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  return {
    server,
    kv,
    other,
    outcomes: async () =>
      (await valuesOf<{ outcome: string }>(kv, commitTable.prefix)).map(({ outcome }) => outcome),
    async [Symbol.asyncDispose]() {
      kv.close();
      other.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

Deno.test("commits whose responses are lost take effect once and succeed", async () => {
  await using store = await remoteStore();
  const { server, kv, other } = store;
  const missing = { key: ["created"], versionstamp: null };
  const writes: [key: Deno.KvKey, write: () => Promise<{ ok: boolean } | void>][] = [
    [["sum"], () => kv.atomic().sum(["sum"], 1n).commit()],
    [["created"], () => kv.atomic().check(missing).set(["created"], 1).commit()],
    [["set"], () => kv.set(["set"], 1)],
    [["deleted"], () => kv.delete(["deleted"])],
  ];
  for (const fate of ["unavailable", "cut"] as const) {
    await other.atomic().delete(["sum"]).delete(["created"]).delete(["set"]).commit();
    for (const [key, write] of writes) {
      server.upcoming.push(fate);
      const result = await write();
      if (result === undefined) continue;
      const { versionstamp } = await other.get(key);
      assertEquals(result, { ok: true, versionstamp });
    }
    const rows = await other.getMany([["sum"], ["created"], ["set"]]);
    assertEquals(rows.map(({ value }) => value), [new Deno.KvU64(1n), 1, 1]);
  }
  assertEquals(new Set(await store.outcomes()), new Set(["committed"]));
});

Deno.test("reads whose responses are lost or break off are repeated", async () => {
  await using store = await remoteStore();
  const { server, kv } = store;
  await kv.set(["a"], 1);
  for (const fate of ["unavailable", "cut"] as const) {
    const reads: (() => Promise<unknown>)[] = [
      async () => (await kv.get(["a"])).value,
      async () => (await kv.getMany([["a"]]))[0].value,
      async () => (await Array.fromAsync(kv.list({ prefix: [] }, { limit: 1 })))[0].value,
    ];
    for (const read of reads) {
      server.upcomingReads.push(fate, fate);
      assertEquals(await read(), 1);
    }
  }
  server.upcomingReads.push(...Array.from({ length: 5 }, () => "cut" as const));
  await assertRejects(() => kv.get(["a"]), Error, "failed to read response body");
});

Deno.test("a transaction whose first response is lost runs once", async () => {
  await using store = await remoteStore();
  store.server.upcoming.push("unavailable");
  let attempts = 0;
  const count = await transact(async () => {
    attempts++;
    const entry = await store.kv.get<number>(["count"]);
    const result = (entry.value ?? 0) + 1;
    return { result, commit: store.kv.atomic().check(entry).set(["count"], result) };
  });
  assertEquals([count, attempts, (await store.kv.get(["count"])).value], [1, 1, 1]);
});

Deno.test("a commit whose check fails is abandoned, even if the response to that is lost", async () => {
  for (const fates of [[], ["delivered", "unavailable"], ["cut", "cut"]] satisfies Fate[][]) {
    await using store = await remoteStore();
    const { kv } = store;
    const entry = await kv.get(["a"]);
    await kv.set(["a"], "newer");
    store.server.upcoming.push(...fates);
    assertFalse((await kv.atomic().check(entry).set(["a"], "older").commit()).ok);
    assertEquals((await kv.get(["a"])).value, "newer");
    assertEquals((await store.outcomes()).sort(), ["abandoned", "committed"]);
  }
});

Deno.test("an attempt that reaches the server after its commit failed changes nothing", async () => {
  await using store = await remoteStore();
  const { server, kv, other } = store;
  const entry = await kv.get(["a"]);
  await other.set(["a"], "other");
  server.upcoming.push("postponed"); // the second attempt fails
  assertFalse((await kv.atomic().check(entry).set(["a"], "late").sum(["n"], 1n).commit()).ok);
  await other.delete(["a"]); // so the check of the first attempt would pass
  server.deliver();
  assertEquals((await kv.getMany([["a"], ["n"]])).map(({ value }) => value), [null, null]);
});

Deno.test("a set or delete that arrives again later leaves newer data", async () => {
  await using store = await remoteStore();
  const { server, kv, other } = store;
  for (const write of [() => kv.set(["a"], "older"), () => kv.delete(["a"])]) {
    server.upcoming.push("repeated");
    await write();
    await other.set(["a"], "newer");
    assertEquals((await kv.get(["a"])).value, "newer");
  }
});

Deno.test("a commit over a network is one request, and its row expires after a day", async () => {
  await using store = await remoteStore();
  const before = store.server.commits;
  const earliest = Date.now() + DAY_MS;
  await store.kv.atomic().set(["a"], 1).commit();
  const [row] = await valuesOf<{ expires_at: string }>(store.kv, commitTable.prefix);
  assertEquals(store.server.commits, before + 1);
  assert(
    Date.parse(row.expires_at) >= earliest && Date.parse(row.expires_at) <= Date.now() + DAY_MS,
  );
});

Deno.test("a local store has no rows of commits", async () => {
  await using file = await tempKv();
  using memory = await openKv(":memory:");
  for (const kv of [file.kv, memory]) {
    const entry = await kv.get(["a"]);
    await kv.set(["a"], 1);
    await kv.delete(["b"]);
    await kv.atomic().sum(["n"], 1n).commit();
    assertFalse((await kv.atomic().check(entry).set(["a"], 2).commit()).ok);
    assertEquals(await valuesOf(kv, commitTable.prefix), []);
  }
});

Deno.test("a commit with nine checks succeeds on every store, and one with ten names the tables", async () => {
  await using store = await remoteStore();
  using memory = await openKv(":memory:");
  for (const kv of [store.kv, memory]) {
    const commit = (checks: number) =>
      Array.from({ length: checks }, (_, i) => ({ key: [`t${i}`, i], versionstamp: null }))
        .reduce((commit, check) => commit.check(check), kv.atomic()).set(["a"], 1).commit();
    assert((await commit(9)).ok);
    const error = await assertRejects(() => commit(10), TooManyChecksError);
    assertEquals(
      [error.code, error.message],
      [
        "too_many_checks",
        "Too many checks (max 9): t0, t1, t2, t3, t4, t5, t6, t7, t8, t9",
      ],
    );
  }
});
