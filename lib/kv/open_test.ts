import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { openKv } from "./open.ts";

Deno.test("a file's folder is made, for its owner alone, and the file keeps what was written", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "new", "deep", "some name.kv");
  {
    using kv = await openKv(path);
    await kv.set(["a"], 1);
  }
  {
    using kv = await openKv(path);
    assertEquals((await kv.get(["a"])).value, 1);
  }
  if (Deno.build.os !== "windows") {
    assertEquals((await Deno.stat(join(folder, "new"))).mode! & 0o777, 0o700);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("in memory each opening is a store of its own", async () => {
  using one = await openKv(":memory:");
  using other = await openKv(":memory:");
  await one.set(["a"], 1);
  assertEquals((await other.get(["a"])).value, null);
});

Deno.test("a URL goes to a KV Connect server", async () => {
  const asked: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    asked.push(new URL(request.url).pathname);
    return new Response("no", { status: 403 });
  });
  Deno.env.set("DENO_KV_ACCESS_TOKEN", "of-a-test");
  const url = `http://127.0.0.1:${server.addr.port}/store`;
  await assertRejects(() => openKv(url), TypeError, url);
  assertEquals(asked, ["/store"]);
  Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  await server.shutdown();
});
