import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { StoreUnavailableError } from "../../platform/kv/mod.ts";
import { createRateLimiter } from "../../platform/http/rate_limit.ts";
import { mcpTools } from "./mod.ts";
import { defineTool } from "./tool.ts";
import { createMcpServer } from "./server.ts";
import { testDeps, testManifest } from "./testing/fixtures.ts";
import { z } from "zod";

// The rules of the transport (MCP 2025-03-26, basic/transports and basic/lifecycle).

const ORIGIN = "https://foundation.example";
const options = {
  manifest: testManifest,
  tools: mcpTools,
  deps: testDeps(),
  allowedOrigins: (origin: string) => origin === ORIGIN,
};
const server = createMcpServer(options);

const HEADERS = {
  "accept": "application/json, text/event-stream",
  "content-type": "application/json",
};
type Headers = Record<string, string | undefined>;

function send(body: unknown, headers: Headers = {}, method = "POST", to = server) {
  const defined = Object.entries({ ...HEADERS, ...headers }).filter(([, value]) => value);
  const text = typeof body === "string" || body instanceof ReadableStream
    ? body
    : JSON.stringify(body);
  const request = new Request("http://localhost/mcp", {
    method,
    headers: defined as [string, string][],
    ...(method === "POST" && { body: text }),
  });
  return to.handle(request, "203.0.113.1");
}

const ping = (id: unknown = 1) => ({ jsonrpc: "2.0", id, method: "ping" });
const pong = (id: unknown = 1) => ({ jsonrpc: "2.0", id, result: {} });
const error = (id: unknown, code: number) => ({ id, code });
const note = { jsonrpc: "2.0", method: "notifications/initialized" };
const reply = { jsonrpc: "2.0", id: 7, result: {} };
const request = (method: string, params?: unknown) => ({ jsonrpc: "2.0", id: 1, method, params });
const call = (name: string, args?: unknown) => request("tools/call", { name, arguments: args });
const initialize = (protocolVersion: unknown, more = {}) =>
  request("initialize", {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: "test", version: "0" },
    ...more,
  });

/** Reduces errors to their ids and codes. */
function brief(response: unknown): unknown {
  if (Array.isArray(response)) return response.map(brief);
  const { jsonrpc, id, error } = response as Record<string, unknown> & { error?: { code: number } };
  assertEquals(jsonrpc, "2.0");
  return error ? { id, code: error.code } : response;
}

interface Case {
  name: string;
  body?: unknown;
  headers?: Headers;
  method?: string;
  status: number;
  /** The body, with errors as `{id, code}`; null for an empty body. Not compared if absent. */
  expected?: unknown;
  allow?: string;
}

// deno-fmt-ignore: one case per line
const cases: Case[] = [
  // Methods
  { name: "GET returns 405", method: "GET", status: 405, expected: error(null, -32000), allow: "POST" },
  { name: "DELETE returns 405", method: "DELETE", status: 405, expected: error(null, -32000), allow: "POST" },
  { name: "PUT returns 405", method: "PUT", status: 405, expected: error(null, -32000), allow: "POST" },
  { name: "HEAD returns 405", method: "HEAD", status: 405, allow: "POST" },
  { name: "GET that accepts an event stream returns 405", method: "GET", headers: { accept: "text/event-stream" }, status: 405, allow: "POST" },
  { name: "GET that accepts a page returns 405", method: "GET", headers: { accept: "text/html,*/*;q=0.8" }, status: 405, expected: error(null, -32000), allow: "POST" },

  // Origin
  { name: "a request without Origin is accepted", body: ping(), status: 200, expected: pong() },
  { name: "an allowed Origin is accepted", body: ping(), headers: { origin: ORIGIN }, status: 200, expected: pong() },
  { name: "a foreign Origin returns 403", body: ping(), headers: { origin: "https://evil.example" }, status: 403, expected: error(null, -32000) },
  { name: "the Origin null returns 403", body: ping(), headers: { origin: "null" }, status: 403, expected: error(null, -32000) },
  { name: "a foreign Origin returns 403 on GET", method: "GET", headers: { origin: "https://evil.example" }, status: 403, expected: error(null, -32000) },
  { name: "a foreign Origin returns 403 on DELETE", method: "DELETE", headers: { origin: "null" }, status: 403, expected: error(null, -32000) },
  { name: "a foreign Origin's preflight returns 403", method: "OPTIONS", headers: { origin: "https://evil.example" }, status: 403, expected: error(null, -32000) },

  // Accept
  { name: "Accept with only JSON is accepted", body: ping(), headers: { accept: "application/json" }, status: 200, expected: pong() },
  { name: "Accept with only pages returns 406", body: ping(), headers: { accept: "text/html, application/xml" }, status: 406, expected: error(null, -32000) },
  { name: "Accept with both types at q=0 returns 406", body: ping(), headers: { accept: "application/json;q=0, text/event-stream;q=0.0" }, status: 406 },
  { name: "Accept with event streams at q=0 is accepted", body: ping(), headers: { accept: "application/json, text/event-stream;q=0" }, status: 200, expected: pong() },
  { name: "Accept */* is accepted", body: ping(), headers: { accept: "*/*" }, status: 200, expected: pong() },
  { name: "Accept with ranges that cover both types is accepted", body: ping(), headers: { accept: "application/*;q=0.8, Text/*" }, status: 200, expected: pong() },
  { name: "Accept with both types in another order is accepted", body: ping(), headers: { accept: "text/event-stream,application/json;q=0.9" }, status: 200, expected: pong() },

  // Content-Type
  { name: "no Content-Type returns 415", body: new Blob([JSON.stringify(ping())]).stream(), headers: { "content-type": undefined }, status: 415, expected: error(null, -32000) },
  { name: "a compressed body returns 415", body: ping(), headers: { "content-encoding": "gzip" }, status: 415, expected: error(null, -32000) },
  { name: "a text body returns 415", body: ping(), headers: { "content-type": "text/plain;charset=UTF-8" }, status: 415, expected: error(null, -32000) },
  { name: "a form body returns 415", body: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" }, status: 415, expected: error(null, -32000) },
  { name: "Content-Type application/jsonp returns 415", body: ping(), headers: { "content-type": "application/jsonp" }, status: 415 },
  { name: "JSON with a charset is accepted", body: ping(), headers: { "content-type": "Application/JSON; charset=utf-8" }, status: 200, expected: pong() },

  // Size and format of the body
  { name: "a body that is not JSON returns 400", body: "{not json", status: 400, expected: error(null, -32700) },
  { name: "an empty body returns 400", body: "", status: 400, expected: error(null, -32700) },
  { name: "a body of exactly 256 KiB is accepted", body: JSON.stringify(ping()).padEnd(262_144), status: 200, expected: pong() },
  { name: "a declared body over 256 KiB returns 413", body: "{}", headers: { "content-length": "262145" }, status: 413, expected: error(null, -32000) },
  { name: "a body over 256 KiB returns 413", body: JSON.stringify(ping()).padEnd(262_145), status: 413, expected: error(null, -32000) },
  { name: "deeply nested arrays are one invalid item", body: "[".repeat(100_000) + "]".repeat(100_000), status: 200, expected: [error(null, -32600)] },

  // Single notifications and responses
  { name: "notifications/initialized returns 202", body: note, status: 202, expected: null },
  { name: "an unknown notification returns 202", body: { jsonrpc: "2.0", method: "notifications/unheard_of", params: { a: 1 } }, status: 202, expected: null },
  { name: "a notification with a request's method gets no response", body: { jsonrpc: "2.0", method: "ping" }, status: 202, expected: null },
  { name: "a response returns 202", body: reply, status: 202, expected: null },
  { name: "an error response returns 202", body: { jsonrpc: "2.0", id: 7, error: { code: -1, message: "no" } }, status: 202, expected: null },
  { name: "a batch of notifications and responses returns 202", body: [note, reply, note], status: 202, expected: null },

  // Requests and ids
  { name: "an integer id is returned", body: ping(0), status: 200, expected: pong(0) },
  { name: "a negative id is returned", body: ping(-5), status: 200, expected: pong(-5) },
  { name: "a string id is returned as a string", body: ping("1"), status: 200, expected: pong("1") },
  { name: "an empty string is a valid id", body: ping(""), status: 200, expected: pong("") },
  { name: "a null id is an invalid request", body: ping(null), status: 400, expected: error(null, -32600) },
  { name: "a fractional id is an invalid request", body: ping(1.5), status: 400, expected: error(null, -32600) },
  { name: "an integer id that JSON cannot represent exactly is an invalid request", body: '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', status: 400, expected: error(null, -32600) },
  { name: "an object id is an invalid request", body: ping({}), status: 400, expected: error(null, -32600) },
  { name: "another JSON-RPC version is an invalid request with its id", body: { ...ping(3), jsonrpc: "1.0" }, status: 400, expected: error(3, -32600) },
  { name: "no JSON-RPC version is an invalid request", body: { id: 3, method: "ping" }, status: 400, expected: error(3, -32600) },
  { name: "a method that is not a string is an invalid request", body: { jsonrpc: "2.0", id: 3, method: 1 }, status: 400, expected: error(3, -32600) },
  { name: "params that are not an object are an invalid request", body: request("ping", "x"), status: 400, expected: error(1, -32600) },
  { name: "positional params are an invalid request", body: request("ping", [1]), status: 400, expected: error(1, -32600) },
  { name: "an object without a method is an invalid request", body: { jsonrpc: "2.0", id: 4 }, status: 400, expected: error(4, -32600) },
  { name: "a number is an invalid request", body: "1", status: 400, expected: error(null, -32600) },
  { name: "null is an invalid request", body: "null", status: 400, expected: error(null, -32600) },
  { name: "an unknown method returns -32601", body: request("resources/list"), status: 200, expected: error(1, -32601) },
  { name: "a method name inherited from Object returns -32601", body: request("constructor"), status: 200, expected: error(1, -32601) },
  { name: "ping with params returns {}", body: request("ping", { _meta: {} }), status: 200, expected: pong() },

  // Batches
  { name: "a batch returns an array", body: [ping(1), ping("b")], status: 200, expected: [pong(1), pong("b")] },
  { name: "a batch of one returns an array of one", body: [ping(1)], status: 200, expected: [pong(1)] },
  { name: "notifications and responses in a batch get no response", body: [note, ping(1), reply], status: 200, expected: [pong(1)] },
  { name: "each request in a batch gets its own error", body: [ping(1), request("nope"), call("nope")], status: 200, expected: [pong(1), error(1, -32601), error(1, -32602)] },
  { name: "each invalid item in a batch gets its own error", body: [1, ping(2), { id: 3 }, []], status: 200, expected: [error(null, -32600), pong(2), error(3, -32600), error(null, -32600)] },
  { name: "the same id twice in a batch gets two responses", body: [ping(1), ping(1)], status: 200, expected: [pong(1), pong(1)] },
  { name: "an empty batch returns 400", body: [], status: 400, expected: error(null, -32600) },
  { name: "initialize in a batch returns 400", body: [initialize("2025-03-26"), ping(2)], status: 400, expected: error(null, -32600) },
  { name: "a batch of only initialize returns 400", body: [initialize("2025-03-26")], status: 400, expected: error(null, -32600) },
  { name: "a batch of 50 is accepted", body: Array(50).fill(ping()), status: 200, expected: Array(50).fill(pong()) },
  { name: "a batch of 51 returns 400", body: Array(51).fill(ping()), status: 400, expected: error(null, -32600) },

  // Parameters
  { name: "initialize without params returns -32602", body: request("initialize"), status: 200, expected: error(1, -32602) },
  { name: "initialize with a version that is not a string returns -32602", body: initialize(20250326), status: 200, expected: error(1, -32602) },
  { name: "initialize without capabilities returns -32602", body: initialize("2025-03-26", { capabilities: undefined }), status: 200, expected: error(1, -32602) },
  { name: "tools/list with an unknown cursor returns -32602", body: request("tools/list", { cursor: "2" }), status: 200, expected: error(1, -32602) },
  { name: "tools/call without params returns -32602", body: request("tools/call"), status: 200, expected: error(1, -32602) },
  { name: "an unknown tool returns -32602", body: call("no_such_tool", {}), status: 200, expected: error(1, -32602) },
  { name: "a tool name inherited from Object returns -32602", body: call("toString", {}), status: 200, expected: error(1, -32602) },
  { name: "missing arguments return -32602", body: call("get_qualification"), status: 200, expected: error(1, -32602) },
  { name: "arguments that are not an object return -32602", body: call("get_qualification", ["BSB50420"]), status: 200, expected: error(1, -32602) },
  { name: "an argument of the wrong type returns -32602", body: call("search_standard", { query: 5 }), status: 200, expected: error(1, -32602) },
  { name: "an argument out of range returns -32602", body: call("search_standard", { query: "hash", limit: 1000 }), status: 200, expected: error(1, -32602) },
  { name: "an unknown argument returns -32602", body: call("get_qualification", { code: "BSB50420", no: 1 }), status: 200, expected: error(1, -32602) },
];

for (const { name, body, headers, method, status, expected, allow } of cases) {
  Deno.test(`transport: ${name}`, async () => {
    const response = await send(body, headers, method);
    const text = await response.text();
    assertEquals(response.status, status, text);
    if (allow) assertEquals(response.headers.get("allow"), allow);
    if (expected === null) assertEquals(text, "");
    else assertEquals(response.headers.get("content-type"), "application/json");
    if (expected) assertEquals(brief(JSON.parse(text)), expected);
  });
}

Deno.test("initialize returns 2025-03-26 for every requested version, even without clientInfo", async () => {
  const versions = ["2025-03-26", "2024-11-05", "2025-06-18", "2026-07-28", "1.0"];
  const bodies = versions.map((version) => initialize(version));
  for (const body of [...bodies, initialize("2025-03-26", { clientInfo: undefined })]) {
    const { result } = await (await send(body)).json();
    assertEquals(result.protocolVersion, "2025-03-26");
    assertEquals(result.capabilities, { tools: {} });
    assertEquals(result.serverInfo, { name: "open-records-foundation", version: "1.0.0" });
  }
});

Deno.test("an allowed Origin gets CORS headers on the preflight and every response", async () => {
  const headers = { origin: ORIGIN, "access-control-request-method": "POST" };
  const preflight = await send("", headers, "OPTIONS");
  assertEquals(preflight.status, 204);
  assertEquals(preflight.headers.get("access-control-allow-methods"), "POST");
  const allowed = preflight.headers.get("access-control-allow-headers")!.split(", ");
  assertEquals(preflight.headers.get("allow"), "POST");
  const names = [
    "content-type",
    "accept",
    "authorization",
    "mcp-protocol-version",
    "mcp-session-id",
  ];
  for (const name of names) assert(allowed.includes(name), name);
  const responses = [preflight, await send(ping(), headers), await send("", headers, "GET")];
  for (const { headers } of responses) {
    assertEquals(headers.get("access-control-allow-origin"), ORIGIN);
    assertEquals(headers.get("vary"), "Origin");
    const exposed = "retry-after, www-authenticate";
    assertEquals(headers.get("access-control-expose-headers"), exposed);
  }
});

Deno.test("a request without an Origin or with a foreign one gets no CORS headers", async () => {
  for (const headers of [{}, { origin: "https://evil.example" }]) {
    const response = await send(ping(), headers);
    assertEquals(response.headers.get("access-control-allow-origin"), null);
    await response.body?.cancel();
  }
});

Deno.test("an endless chunked body returns 413 and is not read to the end", async () => {
  let sent = 0;
  let cancelled = false;
  const endless = new ReadableStream({
    pull(controller) {
      sent += 1000;
      controller.enqueue(new Uint8Array(1000).fill(0x20));
    },
    cancel: () => void (cancelled = true),
  });
  const response = await send(endless);
  assertEquals(response.status, 413);
  assert(cancelled);
  assert(sent < 300_000);
  await response.body?.cancel();
});

Deno.test("a tool that throws returns -32603 without details and is logged", async () => {
  const run = () => {
    throw new Error("secret detail");
  };
  const tool = { title: "", description: "", strangersText: null, input: z.strictObject({}) };
  for (
    const broken of [
      defineTool({ ...tool, name: "throws", run }),
      defineTool({ ...tool, name: "rejects", run: async () => await run() }),
    ]
  ) {
    const logged: string[] = [];
    const log = (event: string) => void logged.push(event);
    const to = createMcpServer({ ...options, tools: [broken], log });
    const response = await send(call(broken.name), {}, "POST", to);
    assertEquals(response.status, 200);
    const text = await response.text();
    assertEquals(brief(JSON.parse(text)), error(1, -32603));
    assert(!text.includes("secret"));
    assertEquals(logged, ["mcp_internal_error"]);
  }
});

Deno.test("a tool whose store does not respond returns -32603 and says so", async () => {
  const tool = { title: "", description: "", strangersText: null, input: z.strictObject({}) };
  const late = defineTool({
    ...tool,
    name: "late",
    run: () => Promise.reject(new StoreUnavailableError("get chains", "unchanged")),
  });
  const logged: string[] = [];
  const log = (event: string) => void logged.push(event);
  const to = createMcpServer({ ...options, tools: [late], log });
  const { error } = await (await send(call("late"), {}, "POST", to)).json();
  assertEquals(error.code, -32603);
  assertStringIncludes(error.message, "Our database does not respond at the moment");
  assertEquals(logged, []);
});

Deno.test("the rate limit counts messages by client address, and batches by their length", async () => {
  let now = 1_000_000;
  const limited = createMcpServer({
    ...options,
    rateLimiter: createRateLimiter({
      limit: 5,
      windowMs: 60_000,
      monotonic: () => now,
      maxClients: 10,
    }),
  });
  const from = async (address: string, body: unknown) => {
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers: HEADERS,
      body: JSON.stringify(body),
    });
    const response = await limited.handle(request, address);
    return { response, body: await response.json() };
  };
  assertEquals((await from("203.0.113.1", Array(4).fill(ping()))).response.status, 200);
  now += 10_000;
  assertEquals((await from("203.0.113.1", ping())).response.status, 200);
  const refused = await from("203.0.113.1", ping());
  assertEquals(refused.response.status, 429);
  assertEquals(refused.response.headers.get("retry-after"), "50");
  assertEquals(brief(refused.body), error(null, -32000));
  assertEquals((await from("203.0.113.2", ping())).response.status, 200);
  now += 50_000;
  assertEquals((await from("203.0.113.1", ping())).response.status, 200);

  // A batch over the limit can never succeed, so waiting does not help.
  const long = await from("203.0.113.3", Array(6).fill(ping()));
  assertEquals([long.response.status, brief(long.body)], [400, error(null, -32600)]);
});

Deno.test("a batch with too much work returns 400, runs no tool and counts as one message", async () => {
  let runs = 0;
  const heavy = defineTool({
    name: "heavy",
    title: "Heavy",
    description: "Counts its runs.",
    strangersText: null,
    input: z.strictObject({}),
    work: 20,
    run: () => ++runs,
  });
  const rateLimiter = createRateLimiter({
    limit: 60,
    windowMs: 60_000,
    monotonic: () => 0,
    maxClients: 9,
  });
  const to = createMcpServer({ ...options, tools: [...mcpTools, heavy], rateLimiter });
  const calls = (count: number) => Array(count).fill(call("heavy"));
  for (const body of [calls(3), [...calls(2), ...Array(11).fill(ping())]]) {
    const refused = await send(body, {}, "POST", to);
    assertEquals(refused.status, 400);
    assertEquals((await refused.json()).error.code, -32600);
  }
  assertEquals(runs, 0);
  assertEquals((await send([...calls(2), ...Array(10).fill(ping())], {}, "POST", to)).status, 200);
  assertEquals(runs, 2);
  assertEquals((await send(Array(46).fill(ping()), {}, "POST", to)).status, 200);
  assertEquals((await send(ping(), {}, "POST", to)).status, 429);
});

Deno.test("a batch of one heavy call succeeds under a low rate limit", async () => {
  const rateLimiter = createRateLimiter({
    limit: 2,
    windowMs: 60_000,
    monotonic: () => 0,
    maxClients: 9,
  });
  const to = createMcpServer({ ...options, rateLimiter });
  const record_hash = "0".repeat(64);
  const response = await send([call("verify_chain", { record_hash, events: [] })], {}, "POST", to);
  assertEquals(response.status, 200);
});

Deno.test("an error about 5,000 unknown arguments has at most 600 characters", async () => {
  const names = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 1]));
  for (const body of [call("list_surfaces", names), call("k".repeat(100_000))]) {
    const { error } = await (await send(body)).json();
    assertEquals(error.code, -32602);
    assert(error.message.length < 600, String(error.message.length));
  }
});

Deno.test("a ping is answered in the format that Accept asks for, and no other method by any", async () => {
  // deno-fmt-ignore: one row per line
  const accepted: [accept: string | undefined, format: "json" | "events" | 406][] = [
    [undefined, "json"],
    ["*/*", "json"],
    ["application/json", "json"],
    ["application/json, text/event-stream", "json"],
    ["text/event-stream, */*;q=0.1", "json"],
    ["text/event-stream", "events"],
    ["text/*", "events"],
    ["application/json;q=0, text/event-stream", "events"],
    ["text/html", 406],
    ["", 406],
  ];
  for (const [accept, format] of accepted) {
    const request = (method: string) =>
      server.handle(
        new Request("http://localhost/mcp", {
          method,
          headers: { "content-type": "application/json", ...accept !== undefined && { accept } },
          ...method === "POST" && { body: JSON.stringify(ping()) },
        }),
        "203.0.113.1",
      );
    const response = await request("POST");
    const text = await response.text();
    assertEquals(response.status, format === 406 ? 406 : 200, accept);
    if (format === "json") assertEquals(JSON.parse(text), pong(), accept);
    if (format === "events") {
      assertEquals(response.headers.get("content-type"), "text/event-stream");
      assertEquals(text, `event: message\ndata: ${JSON.stringify(pong())}\n\n`, accept);
    }
    for (const method of ["GET", "DELETE", "PUT"]) {
      const { status, headers } = await request(method);
      assertEquals([status, headers.get("allow")], [405, "POST"], `${method} ${accept}`);
    }
  }
});

Deno.test("a member or an argument that is null counts as absent", async () => {
  const bodies = [
    { ...ping(), params: null },
    request("tools/list", { cursor: null }),
    request("tools/list", { _meta: null }),
    request("tools/call", { name: "list_surfaces", arguments: null }),
    call("search_qualifications", { query: null, aqf_level: null, limit: 2 }),
    initialize("2025-03-26", { clientInfo: null }),
  ];
  for (const body of bodies) {
    const response = await (await send(body)).json();
    assertEquals(response.error, undefined, JSON.stringify(body));
  }
});

Deno.test("an error about arguments says what to send", async () => {
  // deno-fmt-ignore: one row per line
  const messages: [tool: string, args: unknown, message: string][] = [
    ["search_qualifications", { aqf_level: "5" }, "aqf_level: "],
    ["search_qualifications", { limit: 2.5 }, "limit: send a whole number, not a number"],
    ["search_qualifications", { limit: 500 }, "limit: send at most 50"],
    ["search_qualifications", { query: "x".repeat(201) }, "query: send at most 200 characters"],
    ["search_qualifications", { status: "old" }, 'status: send one of "current", "superseded"'],
    ["search_qualifications", { q: "care" }, 'there is no "q". Its arguments are query, aqf_level, training_package, status, limit.'],
    ["get_qualification", {}, "code: is missing; send text. Its argument is code."],
    ["get_qualification", { code: ["BSB50420"] }, "code: send text, not a list"],
    ["list_surfaces", { all: true }, 'there is no "all". It takes no arguments.'],
    ["verify_chain", { record: "yours" }, 'record: send "mine"'],
    ["verify_chain", {}, "give exactly one of record_hash and record"],
  ];
  for (const [tool, args, message] of messages) {
    const { error } = await (await send(call(tool, args))).json();
    assertEquals(error.code, -32602);
    assertStringIncludes(error.message, `Invalid arguments for ${tool}: ${message}`);
  }
  const { error } = await (await send(call("get_qualification", "BSB50420"))).json();
  assertEquals(error.message, "Invalid params: arguments: send an object, not text");
});

Deno.test("Accept and Content-Type headers over 4 KiB return 406 and 415", async () => {
  const long = ",".repeat(5_000);
  assertEquals((await send(ping(), { accept: HEADERS.accept + long })).status, 406);
  assertEquals((await send(ping(), { "content-type": `application/json;${long}` })).status, 415);
});
