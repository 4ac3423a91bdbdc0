/**
 * The files for a KV server in docs/ops: the proxy's with nginx, if it is installed, and the health check. Only ports,
 * paths and the certificate are replaced.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { openKv } from "../lib/platform/kv/mod.ts";
import { serveConnect } from "../lib/platform/kv/testing/connect_server.ts";
import { withToken } from "./network_stores.ts";
import { freePort } from "./site.ts";
import { isInstalled, KV_PROXY, OPS, startProxy } from "./proxies.ts";

Deno.test({
  name: "the proxy in docs/ops passes on reads, the largest commit and watches of a KV server",
  ignore: !await isInstalled("nginx"),
  async fn() {
    await using server = serveConnect();
    await using nginx = await startProxy(KV_PROXY, [Number(new URL(server.url).port)]);
    using kv = await withToken(server.token, () => openKv(`http://127.0.0.1:${nginx.port}/`));
    const commit = kv.atomic();
    for (let i = 0; i < 12; i++) commit.set(["large", i], new Uint8Array(65_000));
    assertEquals((await commit.commit()).ok, true);
    const watch = kv.watch([["large", 0]]).getReader();
    await watch.read();
    await kv.delete(["large", 0]);
    const { value } = await watch.read();
    assertEquals(value![0].value, null);
    await watch.cancel();
    assertEquals((await Array.fromAsync(kv.list({ prefix: ["large"] }))).length, 11);
  },
});

Deno.test({
  name:
    "while the KV server is down, its proxy logs no line for each call, of which there are many",
  ignore: !await isInstalled("nginx"),
  async fn() {
    await using nginx = await startProxy(KV_PROXY, [freePort()]);
    using client = Deno.createHttpClient({ http1: false });
    const init: RequestInit & { client: Deno.HttpClient } = { client };
    for (let i = 0; i < 5; i++) {
      const response = await fetch(`http://127.0.0.1:${nginx.port}/`, init);
      await response.body?.cancel();
      assertEquals(response.status, 502);
    }
    const log = await Deno.readTextFile(`${nginx.folder}/error.log`);
    assertEquals(log.split("\n").filter((line) => line.includes("upstream")), []);
  },
});

Deno.test("systemd starts the server and the site again, however often they have failed before", async () => {
  for (const unit of ["denokv.service", "gatehouse.service"]) {
    const text = await Deno.readTextFile(`${OPS}/${unit}`);
    assertMatch(text, /^Restart=always$/m, unit);
    assertMatch(text, /^StartLimitIntervalSec=0$/m, unit);
  }
});

Deno.test({
  name:
    "the health check in docs/ops fails for a server that lives but cannot read, and for another token",
  ignore: !await isInstalled("curl"),
  async fn() {
    await using server = serveConnect();
    const check = async (token: string) => {
      const { success } = await new Deno.Command("sh", {
        args: [`${OPS}/denokv-check.sh`, server.url.slice(0, -1)],
        env: { DENO_KV_ACCESS_TOKEN: token },
      }).output();
      return success;
    };
    const response = await fetch(server.url, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
      body: JSON.stringify({ supportedVersions: [3] }),
    });
    const { token } = await response.json();
    const results = [await check(token), await check("another token")];
    server.condition.state = "dead";
    assertEquals([...results, await check(token)], [true, false, false]);
  },
});
