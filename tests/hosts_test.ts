import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createSite, sendRaw, serve } from "./site.ts";

const site = await createSite();

const CASES: [title: string, request: string, status: number][] = [
  ["a surface's host", "GET / HTTP/1.1\r\nHost: site.localhost:8000", 200],
  ["another port of it", "GET / HTTP/1.1\r\nHost: site.localhost:9", 200],
  ["its host in capitals", "GET / HTTP/1.1\r\nHost: SITE.localhost", 200],
  ["its host as a fully qualified name", "GET / HTTP/1.1\r\nHost: site.localhost.:8000", 200],
  ["an address of this machine", "GET / HTTP/1.1\r\nHost: 127.0.0.1:8000", 200],
  ["its IPv6 address", "GET / HTTP/1.1\r\nHost: [::1]:8000", 200],
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
    "an address of 8,192 characters",
    `GET /${"a".repeat(8_170)} HTTP/1.1\r\nHost: site.localhost`,
    404,
  ],
  [
    "an address of 8,193 characters",
    `GET /${"a".repeat(8_171)} HTTP/1.1\r\nHost: site.localhost`,
    414,
  ],
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

Deno.test("an unknown host returns 421 and a message that names SURFACE_HOSTS", async () => {
  const response = await site.handler(
    new Request("http://other.example/", { headers: { host: "other.example" } }),
  );
  assertEquals(response.status, 421);
  const body = await response.json();
  assertEquals(body.error, "misdirected_request");
  assertStringIncludes(body.message, "SURFACE_HOSTS");
  assert(response.headers.has("content-security-policy"));
});
