import { assertEquals } from "@std/assert";
import { openKv } from "../lib/kv/mod.ts";
import { sandboxRelay, startOriginSandbox } from "../sandbox/origin.ts";
import { createSite, sendRaw, serve } from "./site.ts";

const origin = startOriginSandbox();
const relay = sandboxRelay(origin);
// A store that is closed: whatever asked it would fail.
const kv = await openKv(":memory:");
kv.close();
const site = await createSite({ RELAYS: JSON.stringify([relay]) }, {
  kv: Object.assign(kv, { close() {} }),
  log: () => {},
});

Deno.test.afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await origin.stop();
});

const ask = (path: string, init: RequestInit = {}) =>
  site.handler(
    new Request(`http://${relay.host}:8000${path}`, {
      ...init,
      headers: { host: `${relay.host}:8000`, ...init.headers },
    }),
  );

const test = (title: string, fn: () => Promise<void>) =>
  Deno.test({ name: title, sanitizeOps: false, sanitizeResources: false, fn });

test("on a relay's host the relay answers, and no store, cookie or page is touched", async () => {
  const cookie = "app_session=6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
  const page = await ask(`/${relay.slug}/`, { headers: { cookie } });
  assertEquals(page.status, 200);
  assertEquals(page.headers.get("cache-control"), "no-store");
  assertEquals(page.headers.get("set-cookie"), null);
  assertEquals((await page.text()).includes("_fresh"), false);
});

test("nothing of the site answers on a relay's host, and refusals are never kept", async () => {
  const paths = [
    "/",
    "/auth",
    "/console",
    "/mcp",
    "/robots.txt",
    "/styles/tokens.css",
    "/dev/outbox",
  ];
  for (const path of paths) {
    const response = await ask(path);
    const { status, headers } = response;
    assertEquals([path, status, headers.get("cache-control")], [path, 403, "no-store"]);
    await response.body?.cancel();
  }
  for (const method of ["HEAD", "POST", "OPTIONS"]) {
    const response = await ask(`/${relay.slug}/`, { method });
    await response.body?.cancel();
    const { status, headers } = response;
    assertEquals([status, headers.get("allow"), headers.get("cache-control")], [
      405,
      "GET",
      "no-store",
    ]);
  }
});

test("over the wire a slash more or a step back does not lead past the slug", async () => {
  await using server = serve(site.handler);
  for (
    const [target, status] of [
      [`/wrong/../${relay.slug}/`, "403"],
      [`/${relay.slug}/../mcp`, "403"],
      [`//${relay.slug}/`, "403"],
      [`/${relay.slug}/a%2fb`, "400"],
      [`/${relay.slug}/`, "200"],
    ]
  ) {
    const answer = await sendRaw(
      server.port,
      `GET ${target} HTTP/1.1\r\nhost: ${relay.host}:${server.port}\r\nconnection: close\r\n\r\n`,
    );
    assertEquals([target, answer.split(" ")[1]], [target, status]);
  }
});

test("without the name of a relay its slug opens nothing", async () => {
  const response = await site.request("trust", `/${relay.slug}`);
  assertEquals(response.status, 404);
  assertEquals((await response.text()).includes(relay.clientSecret), false);
});
