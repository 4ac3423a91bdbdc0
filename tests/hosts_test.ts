import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { GuardedApp } from "../lib/app/middlewares/guarded_app.ts";
import { createSite, sendRaw, serve } from "./site.ts";

const site = await createSite();

const CASES: [title: string, request: string, status: number][] = [
  ["a surface's host", "GET / HTTP/1.1\r\nHost: site.localhost:8000", 200],
  ["a surface's host with another port", "GET / HTTP/1.1\r\nHost: site.localhost:9", 200],
  ["a surface's host in capitals", "GET / HTTP/1.1\r\nHost: SITE.localhost", 200],
  [
    "a surface's host as a fully qualified name",
    "GET / HTTP/1.1\r\nHost: site.localhost.:8000",
    200,
  ],
  ["a loopback address", "GET / HTTP/1.1\r\nHost: 127.0.0.1:8000", 200],
  ["an IPv6 loopback address", "GET / HTTP/1.1\r\nHost: [::1]:8000", 200],
  [
    "an absolute-form target of the same host",
    "GET http://trust.localhost:1/terms HTTP/1.1\r\nHost: trust.localhost:1",
    200,
  ],
  [
    "an absolute-form target of another host",
    "GET http://site.localhost/ HTTP/1.1\r\nHost: trust.localhost",
    400,
  ],
  ["no host", "GET / HTTP/1.1", 400],
  ["no host in HTTP/1.0", "GET / HTTP/1.0", 400],
  ["two hosts", "GET / HTTP/1.1\r\nHost: site.localhost\r\nHost: trust.localhost", 400],
  ["two hosts in one header", "GET / HTTP/1.1\r\nHost: site.localhost, trust.localhost", 400],
  ["a host with a space", "GET / HTTP/1.1\r\nHost: site.localhost x", 400],
  ["a host with credentials", "GET / HTTP/1.1\r\nHost: a@site.localhost", 400],
  ["a host with a path", "GET / HTTP/1.1\r\nHost: site.localhost/x", 400],
  ["an unknown host", "GET / HTTP/1.1\r\nHost: other.example", 421],
  [
    "a URL of 8,192 characters",
    `GET /${"a".repeat(8_170)} HTTP/1.1\r\nHost: site.localhost`,
    404,
  ],
  [
    "a URL of 8,193 characters",
    `GET /${"a".repeat(8_171)} HTTP/1.1\r\nHost: site.localhost`,
    414,
  ],
  ["a path with a bad percent sequence", "GET /%ff HTTP/1.1\r\nHost: site.localhost", 400],
  [
    "a parameter with a bad percent sequence",
    "GET /qualifications/%E0%A4%A HTTP/1.1\r\nHost: site.localhost",
    400,
  ],
  ["a path with a lone percent sign", "GET /100%?q=%ff HTTP/1.1\r\nHost: site.localhost", 400],
  ["a query with a bad percent sequence", "GET /?q=%ff HTTP/1.1\r\nHost: site.localhost", 200],
  ["a host name of 269 characters", `GET / HTTP/1.1\r\nHost: ${"a.".repeat(130)}localhost`, 400],
  ["a host below a known one", "GET / HTTP/1.1\r\nHost: x.site.localhost", 421],
];

for (const [title, request, status] of CASES) {
  Deno.test(`${title} returns ${status}`, async () => {
    await using server = serve(site.handler);
    const response = await sendRaw(server.port, `${request}\r\nConnection: close\r\n\r\n`);
    assertEquals(Number(response.split(" ")[1]), status, response);
  });
}

for (const method of ["TRACE", "TRACK", "trace", "get", "post", "patch", "foo"]) {
  Deno.test(`${method} of a path with a bad percent sequence returns 400 with all headers`, async () => {
    await using server = serve(site.handler);
    const response = await sendRaw(
      server.port,
      `${method} /%ff HTTP/1.1\r\nHost: site.localhost\r\nContent-Length: 1\r\n` +
        "Connection: close\r\n\r\nx",
    );
    assertEquals(Number(response.split(" ")[1]), 400, response);
    for (const name of ["content-security-policy", "x-content-type-options"]) {
      assertStringIncludes(response.toLowerCase(), `\r\n${name}: `);
    }
  });
}

Deno.test("an unknown host returns 421 with a message that names SURFACE_HOSTS", async () => {
  const response = await site.handler(
    new Request("http://other.example/", { headers: { host: "other.example" } }),
  );
  assertEquals(response.status, 421);
  const body = await response.json();
  assertEquals(body.error, "misdirected_request");
  assertStringIncludes(body.message, "SURFACE_HOSTS");
  assert(response.headers.has("content-security-policy"));
});

Deno.test("a bad percent sequence returns a page for people and JSON for programs, with all headers", async () => {
  const path = "/%ff?a=%ff";
  const page = await site.request("foundation", path, { headers: { accept: "text/html" } });
  const html = await page.text();
  assertEquals(page.status, 400);
  assertStringIncludes(html, "The address contains an invalid percent sequence.");
  for (const name of ["content-security-policy", "link", "x-content-type-options"]) {
    assert(page.headers.has(name), name);
  }
  const json = await site.request("foundation", path, {
    method: "POST",
    body: "x",
    headers: { accept: "application/json" },
  });
  assertEquals([json.status, (await json.json()).error], [400, "invalid_request"]);
});

Deno.test("Fresh never sees a malformed host or a path that cannot be decoded", async () => {
  const seen: string[] = [];
  class Spy extends GuardedApp {
    constructor() {
      super(site.services);
      this.use((ctx) => {
        seen.push(decodeURIComponent(new URL(ctx.req.url).pathname));
        return ctx.next();
      });
    }
  }
  const handler = new Spy().handler();
  const send = (path: string, host = "site.localhost") =>
    handler(new Request(`http://site.localhost${path}`, { headers: { host } }));
  assertEquals((await send("/x", "a b")).status, 400);
  for (const path of ["/%ff", "/%41", "/a%2fb%zz?q=%ff"]) await send(path);
  assertEquals(seen, ["/%ff", "/A", "/a%2fb%zz"]);
});
