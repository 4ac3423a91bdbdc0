import { logHalted, logWaiting } from "../lib/features/log/store/tables.ts";
import { assert, assertEquals } from "@std/assert";
import { VERSION } from "../lib/platform/config/release.ts";
import { actAs, Actor, openKv } from "../lib/platform/kv/mod.ts";
import { limitKv } from "../lib/platform/kv/testing/limited_kv.ts";
import { createSite, sendRaw, serve } from "./site.ts";

const site = await createSite({
  REVISION: "1a2b3c",
  RELAYS: JSON.stringify([{
    name: "docs",
    host: "docs.relay.localhost",
    slug: "docs-5a7d0b0c0f11a5ed2b1c9e44",
    clientId: "id",
    clientSecret: "secret",
    origin: "http://127.0.0.1:1",
  }]),
});

const HOSTS: [title: string, headers: string][] = [
  ["a surface's host", "Host: site.localhost"],
  ["an unknown host", "Host: 10.0.0.7:8000"],
  ["a malformed host", "Host: a b"],
  ["an empty host", "Host: "],
];

for (const [title, headers] of HOSTS) {
  Deno.test(`/healthz and /readyz respond on ${title}`, async () => {
    await using server = serve(site.handler);
    for (const path of ["/healthz", "/readyz?x=/y"]) {
      const request = `GET ${path} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`;
      assert((await sendRaw(server.port, request)).startsWith("HTTP/1.1 200 "), path);
    }
  });
}

Deno.test("/healthz, /readyz and /metrics on a relay's host return 403, as every path without its slug", async () => {
  await using server = serve(site.handler);
  for (const path of ["/healthz", "/readyz", "/metrics", "/.well-known/security.txt"]) {
    const request =
      `GET ${path} HTTP/1.1\r\nHost: docs.relay.localhost\r\nConnection: close\r\n\r\n`;
    const response = await sendRaw(server.port, request);
    assert(response.startsWith("HTTP/1.1 403 "), response);
  }
});

Deno.test("/healthz and /readyz respond without a host", async () => {
  await using server = serve(site.handler);
  for (const path of ["/healthz", "/readyz"]) {
    const response = await sendRaw(server.port, `GET ${path} HTTP/1.0\r\n\r\n`);
    assert(response.startsWith("HTTP/1.0 200 "), response);
  }
});

const get = (path: string, method = "GET") =>
  site.handler(new Request(`http://10.0.0.7${path}`, { method }));

Deno.test("/readyz reports version, revision and checks, and is not cached", async () => {
  const response = await get("/readyz");
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("x-content-type-options"), "nosniff");
  assertEquals(await response.json(), {
    status: "ready",
    version: VERSION,
    revision: "1a2b3c",
    checks: { store: "ok", process: "running", log: "ok" },
  });
  // A log that waits or is halted still serves what it has.
  const { kv } = site.services;
  const logOf = async () => {
    const response = await get("/readyz");
    return [response.status, (await response.json()).checks.log];
  };
  const since = "2026-03-01T00:00:00.000Z";
  await kv.set(logWaiting.key(), { since, witnesses: ["other"], required: true });
  assertEquals(await logOf(), [200, "waiting"]);
  await kv.set(logHalted.key(), { by: "other", at: since, checkpoint: "", response: "" });
  assertEquals(await logOf(), [200, "halted"]);
  for (const { key } of [logWaiting, logHalted]) await kv.delete(key());
});

Deno.test("/healthz and /readyz accept only GET and HEAD, and only at that exact path", async () => {
  for (const path of ["/healthz", "/readyz"]) {
    assertEquals((await get(path, "HEAD")).status, 200);
    const post = await get(path, "POST");
    assertEquals([post.status, post.headers.get("allow")], [405, "GET, HEAD"]);
    await post.body?.cancel();
    for (const other of [`${path}x`, `${path}/`, `/x${path}`, `/?a=${path}`]) {
      const response = await get(other);
      await response.body?.cancel();
      assertEquals(response.status, 400, other); // no host
    }
  }
});

Deno.test("/healthz responds although the store fails, and /readyz returns 503", async () => {
  const kv = limitKv(await openKv(":memory:"));
  await using broken = await createSite({}, { kv });
  kv.get = () => Promise.reject(new TypeError("database disk image is malformed"));
  const send = (path: string) => broken.handler(new Request(`http://localhost${path}`));
  assertEquals(await (await send("/healthz")).text(), "ok\n");
  const ready = await send("/readyz");
  assertEquals([ready.status, (await ready.json()).checks.store], [503, "error"]);
});

Deno.test("/readyz returns 503 as soon as the process begins to stop", async () => {
  const stopping = await createSite();
  const closed = stopping.services.close();
  const response = await stopping.handler(new Request("http://localhost/readyz"));
  const { status, checks } = await response.json();
  assertEquals([response.status, status, checks.process], [503, "not_ready", "stopping"]);
  await closed;
});

Deno.test("/readyz reads the store outside the scope of any request, even if it is called in that of an earlier one", async () => {
  const kv = await openKv(":memory:");
  const get = kv.get.bind(kv);
  const read: (string | undefined)[] = [];
  const other = await createSite({}, { kv });
  const { requestScope } = other.services;
  kv.get = (...args) => {
    if (args[0][0] === "store") read.push(requestScope.id());
    return get(...args) as never;
  };
  const request = new Request("http://10.0.0.7/readyz");
  const response = await actAs(new Actor("earlier"), () => other.handler(request));
  await response.body?.cancel();
  assertEquals([response.status, read], [200, [undefined]]);
  await other[Symbol.asyncDispose]();
});
