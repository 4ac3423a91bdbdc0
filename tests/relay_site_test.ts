import { assertEquals } from "@std/assert";
import { openKv } from "../lib/platform/kv/mod.ts";
import { sandboxRelay, startOriginSandbox } from "../sandbox/origin.ts";
import { createSite, sendRaw, serve } from "./site.ts";

/** Returns a site with one relay, and a store that fails whenever it is used. */
async function setup() {
  const origin = startOriginSandbox();
  const relay = sandboxRelay(origin);
  const kv = await openKv(":memory:");
  kv.close();
  const log: Record<string, unknown>[] = [];
  const site = await createSite({ RELAYS: JSON.stringify([relay]) }, {
    kv: Object.assign(kv, { close() {} }),
    log: (entry) => log.push(entry),
  });
  return {
    relay,
    site,
    log,
    request: (path: string, { headers, ...init }: RequestInit = {}) =>
      site.handler(
        new Request(`http://${relay.host}:8000${path}`, {
          ...init,
          headers: { host: `${relay.host}:8000`, ...headers },
        }),
      ),
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await origin.stop();
    },
  };
}

Deno.test("a relay's host serves the relay without the store, cookies or pages", async () => {
  await using site = await setup();
  const cookie = "app_session=6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
  const page = await site.request(`/${site.relay.slug}/`, { headers: { cookie } });
  assertEquals(page.status, 200);
  assertEquals(page.headers.get("cache-control"), "no-store");
  assertEquals(page.headers.get("set-cookie"), null);
  assertEquals((await page.text()).includes("_fresh"), false);
});

Deno.test("a relay's host returns 403 for the site's paths, and 405 for other methods", async () => {
  await using site = await setup();
  const { slug } = site.relay;
  const cases: [method: string, path: string, status: number][] = [
    ...["/", "/auth", "/console", "/mcp", "/robots.txt", "/styles/tokens.css", "/dev/outbox"].map((
      path,
    ): [string, string, number] => ["GET", path, 403]),
    ...["HEAD", "POST", "OPTIONS"].map((method): [string, string, number] => [
      method,
      `/${slug}/`,
      405,
    ]),
  ];
  for (const [method, path, expected] of cases) {
    const { status, headers, body } = await site.request(path, { method });
    await body?.cancel();
    assertEquals([method, path, status, headers.get("cache-control")], [
      method,
      path,
      expected,
      "no-store",
    ]);
    assertEquals(headers.get("allow"), expected === 405 ? "GET" : null);
  }
});

Deno.test("a relay's host forwards a path with an invalid percent sequence unchanged", async () => {
  const relay = sandboxRelay({
    origin: "http://127.0.0.1:9",
    clientId: "x.access",
    clientSecret: "x".repeat(32),
  });
  const fetched: string[] = [];
  await using site = await createSite({ RELAYS: JSON.stringify([relay]) }, {
    fetch: (url) => {
      fetched.push(new URL(String(url)).pathname);
      return Promise.resolve(new Response("text", { headers: { "content-type": "text/plain" } }));
    },
  });
  const host = `${relay.host}:8000`;
  const url = `http://${host}/${relay.slug}/caf%e9`;
  const response = await site.handler(new Request(url, { headers: { host } }));
  assertEquals([response.status, await response.text()], [200, "text"]);
  assertEquals(fetched, ["/caf%e9"]);
});

Deno.test("raw targets cannot bypass the slug", async () => {
  await using site = await setup();
  await using server = serve(site.site.handler);
  const { host, slug } = site.relay;
  for (
    const [target, status] of [
      [`/wrong/../${slug}/`, "403"],
      [`/${slug}/../mcp`, "403"],
      [`//${slug}/`, "403"],
      [`/${slug}/a%2fb`, "400"],
      [`/${slug}/a\\b`, "400"],
      [`/${slug}/`, "200"],
    ]
  ) {
    const response = await sendRaw(
      server.port,
      `GET ${target} HTTP/1.1\r\nhost: ${host}:${server.port}\r\nconnection: close\r\n\r\n`,
    );
    assertEquals([target, response.split(" ")[1]], [target, status]);
  }
});

Deno.test("the site logs one line if an origin closes the connection in the middle of a body", async () => {
  await using site = await setup();
  const response = await site.request(`/${site.relay.slug}/broken`);
  assertEquals(response.status, 200);
  assertEquals(await response.text().then(() => "complete", () => "cut off"), "cut off");
  assertEquals(site.log, [{ level: "warn", event: "relay_broke_off", relay: site.relay.name }]);
});

Deno.test("other hosts do not serve a relay's slug", async () => {
  await using site = await setup();
  const response = await site.site.request("trust", `/${site.relay.slug}`);
  assertEquals(response.status, 404);
  assertEquals((await response.text()).includes(site.relay.clientSecret), false);
});
