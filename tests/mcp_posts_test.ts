import { assertEquals } from "@std/assert";
import { createSite } from "./site.ts";

/** Requests to `/mcp` skip the middlewares; the same with an empty query pass through them. */
const PATHS = ["/mcp", "/mcp?"] as const;

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
  ["an unknown host", { body: "{}", headers: { ...HEADERS, host: "mcp.example" } }, 400],
];

const unlimitedSite = () => createSite({ MCP_RATE_LIMIT: "0" });

for (const [title, init, status] of REQUESTS) {
  Deno.test(`POST /mcp with ${title} returns the same ${status} as through the middlewares`, async () => {
    await using site = await unlimitedSite();
    const responses = [];
    for (const path of PATHS) {
      // Once for each client, and again when the address is known.
      for (const _ of [1, 2]) {
        const response = await site.request("foundation-mcp", path, {
          method: "POST",
          headers: HEADERS,
          ...init,
        });
        responses.push([response.status, [...response.headers], await response.text()]);
      }
    }
    assertEquals(responses[0][0], status);
    for (const response of responses) assertEquals(response, responses[0]);
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
  for (const path of PATHS) {
    const response = await broken.request("foundation-mcp", path, {
      method: "POST",
      headers: { ...HEADERS, authorization: "Bearer x" },
      body: call("get_qualification"),
    });
    assertEquals(response.status, 500);
    assertEquals([...response.headers.keys()], ["content-type", "x-content-type-options"]);
    assertEquals((await response.json()).error, "internal");
  }
  const errors = lines.filter(({ level }) => level === "error");
  assertEquals(errors.length, PATHS.length);
  const [fast, slow] = errors.map(({ stack: _, ...rest }) => rest);
  assertEquals(fast, slow);
});
