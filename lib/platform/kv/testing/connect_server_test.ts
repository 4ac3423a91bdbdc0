import { assertEquals } from "@std/assert";
import { openKv } from "../open.ts";
import { transact } from "../transact.ts";
import { serveConnect } from "./connect_server.ts";

Deno.test("the KV Connect server behaves like a store in memory", async () => {
  await using server = serveConnect();
  Deno.env.set("DENO_KV_ACCESS_TOKEN", server.token);
  using remote = await Deno.openKv(server.url);
  Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  using local = await openKv(":memory:");
  const seen = await Promise.all([remote, local].map(async (kv) => {
    const rows = async (selector: Deno.KvListSelector, options?: Deno.KvListOptions) =>
      await Array.fromAsync(kv.list(selector, options), ({ key, value }) => [key, value]);
    for (let i = 250; i > 0; i--) await kv.set(["a", i], { text: "é".repeat(i), at: new Date(i) });
    await kv.set(["b", new Uint8Array([0, 255, 0])], new Uint8Array([1, 2]));
    await kv.atomic().sum(["n"], 40n).commit();
    await kv.atomic().sum(["n"], 2n).max(["m"], 7n).commit();
    await kv.atomic().max(["m"], 9n).min(["m"], 8n).commit();
    const entry = await kv.get(["a", 1]);
    const checks = [
      await kv.atomic().check(entry).set(["a", 1], "changed").commit(),
      await kv.atomic().check(entry).set(["a", 1], "lost").commit(),
      await kv.atomic().check({ key: ["c"], versionstamp: null }).delete(["a", 2]).commit(),
    ];
    return [
      checks.map(({ ok }) => ok),
      (await kv.getMany([["n"], ["m"], ["a", 1], ["a", 2], ["none"]])).map(({ value }) => value),
      await rows({ prefix: ["a"] }),
      await rows({ prefix: ["a"] }, { reverse: true, limit: 5 }),
      await rows({ start: ["a", 100], end: ["b"] }, { batchSize: 7 }),
      await rows({ prefix: [] }),
    ];
  }));
  assertEquals(seen[0], seen[1]);
});

Deno.test("32 writers of one key through two connections lose no increment", async () => {
  await using server = serveConnect();
  Deno.env.set("DENO_KV_ACCESS_TOKEN", server.token);
  using first = await openKv(server.url);
  using second = await openKv(server.url);
  Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  await Promise.all(Array.from({ length: 32 }, (_, i) =>
    transact(async () => {
      const kv = i % 2 === 0 ? first : second;
      const entry = await kv.get<number>(["count"]);
      const result = (entry.value ?? 0) + 1;
      return { result, commit: kv.atomic().check(entry).set(["count"], result) };
    })));
  assertEquals((await first.get(["count"])).value, 32);
});
