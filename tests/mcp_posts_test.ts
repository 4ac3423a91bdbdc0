import { assertEquals } from "@std/assert";
import { createSite } from "./site.ts";

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const call = (name: string) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: { code: "BSB50420" } },
  });

const REQUESTS: [title: string, init: RequestInit, status: number][] = [
  ["a call", { body: call("get_qualification") }, 200],
  ["an unknown tool", { body: call("nothing") }, 200],
  ["a notification", {
    body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
  }, 202],
  ["no JSON", { body: "{" }, 400],
  ["a long body", { body: `"${"x".repeat(256 * 1024)}"` }, 413],
  ["text", { body: "{}", headers: { ...HEADERS, "content-type": "text/plain" } }, 415],
  ["the newest version, twice", {
    body: call("get_qualification"),
    headers: { ...HEADERS, "mcp-protocol-version": "2026-07-28, 2026-07-28" },
  }, 200],
  ["a version that is no date", {
    body: call("get_qualification"),
    headers: { ...HEADERS, "mcp-protocol-version": "newest" },
  }, 400],
  ["server/discover", {
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "server/discover" }),
  }, 404],
  ["only JSON acceptable", {
    body: call("get_qualification"),
    headers: { ...HEADERS, accept: "application/json" },
  }, 200],
  ["anything acceptable", {
    body: call("get_qualification"),
    headers: { ...HEADERS, accept: "*/*" },
  }, 200],
  ["only a page acceptable", { body: "{}", headers: { ...HEADERS, accept: "text/html" } }, 406],
  [
    "a foreign origin",
    { body: "{}", headers: { ...HEADERS, origin: "https://evil.example" } },
    403,
  ],
  ["an unknown token", { body: "{}", headers: { ...HEADERS, authorization: "Bearer x" } }, 401],
];

const unlimitedSite = () => createSite({ MCP_RATE_LIMIT: "0" });

for (const [title, init, status] of REQUESTS) {
  Deno.test(`POST /mcp with ${title} returns ${status}, with few headers`, async () => {
    await using site = await unlimitedSite();
    const response = await site.request("foundation-mcp", "/mcp", {
      method: "POST",
      headers: HEADERS,
      ...init,
    });
    await response.body?.cancel();
    assertEquals(response.status, status);
    const { headers } = response;
    assertEquals(headers.get("x-content-type-options"), "nosniff");
    assertEquals(headers.has("content-security-policy"), false);
    assertEquals(headers.has("cache-control"), false);
  });
}

Deno.test("POST /mcp counts as in-flight until its response has been sent", async () => {
  await using site = await unlimitedSite();
  const { services, handler } = site;
  const { promise: completed, resolve } = Promise.withResolvers<void>();
  const url = services.surfaces.url("foundation-mcp", "/mcp")!;
  const info = {
    remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
    completed,
  } as Deno.ServeHandlerInfo;
  const headers = { ...HEADERS, host: new URL(url).host };
  const body = call("get_qualification");
  await handler(new Request(url, { method: "POST", headers, body }), info);
  let settled = false;
  const waiting = services.inFlight.settled(60_000).then(() => settled = true);
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(settled, false);
  resolve();
  await waiting;
});

Deno.test("POST /mcp returns 500 without details if a token cannot be read, and logs the error once", async () => {
  const lines: Record<string, unknown>[] = [];
  await using broken = await createSite({}, { log: (entry) => lines.push(entry) });
  const callerOf = () => Promise.reject(new Error("the store is broken"));
  Object.assign(broken.services.tokens, {
    protectionOf: () => ({ resourceMetadataUrl: "https://mcp.example", callerOf }),
  });
  const response = await broken.request("foundation-mcp", "/mcp", {
    method: "POST",
    headers: { ...HEADERS, authorization: "Bearer x" },
    body: call("get_qualification"),
  });
  assertEquals(response.status, 500);
  assertEquals([...response.headers.keys()], [
    "content-type",
    "request-id",
    "x-content-type-options",
  ]);
  const { error, request_id } = await response.json();
  assertEquals(error, "internal");
  const errors = lines.filter(({ level }) => level === "error");
  assertEquals([errors.map(({ route }) => route), typeof request_id], [["/mcp"], "string"]);
});
