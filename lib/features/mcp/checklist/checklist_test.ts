import { assertEquals, assertStringIncludes } from "@std/assert";
import { runChecklist } from "./checklist.ts";
import { testHost, testManifest } from "../testing/fixtures.ts";

type Host = (request: Request) => Promise<Response>;

const host = testHost();
const waits: number[] = [];

function check(host: Host) {
  return runChecklist(testManifest.endpoint, {
    fetch: (input, init) => host(new Request(input, init)),
    sleep: (ms) => Promise.resolve(void waits.push(ms)),
    timeoutMs: 5_000,
  });
}

async function failed(host: Host) {
  const results = await check(host);
  return results.filter(({ outcome }) => outcome === "fail");
}

// deno-lint-ignore no-explicit-any
type Json = Record<string, any>;

/** Our host, with modified responses to one method. */
function changed(method: string, change: (response: Json) => unknown): Host {
  return async (request) => {
    const sent = request.method === "POST" ? await request.clone().text() : "";
    const response = await host(request);
    if (!sent.startsWith("{") || !sent.includes(`"method":"${method}"`)) return response;
    const { status, headers } = response;
    return Response.json(change(await response.json()), { status, headers });
  };
}

/** Our host, with replaced responses to some requests. */
function replaced(
  matches: (request: Request) => boolean,
  respond: (request: Request) => Response | Promise<Response>,
): Host {
  return async (request) => matches(request) ? await respond(request) : await host(request);
}

const isPath = (path: string) => (request: Request) => new URL(request.url).pathname === path;
const CARD = "/.well-known/mcp/server-card.json";
const OAUTH = "/.well-known/oauth-authorization-server";

function document(path: string, change: (document: Json) => void): Host {
  return replaced(isPath(path), async (request) => {
    const body = await (await host(request)).json();
    change(body);
    return Response.json(body);
  });
}

Deno.test("our server passes every point except OAuth, which is noted", async () => {
  const results = await check(host);
  assertEquals(results.map(({ outcome }) => outcome), [
    ...Array(6).fill("pass"),
    "noted",
    "pass",
    "pass",
  ]);
  assertStringIncludes(results[6].details[0], "noted for future upgrade");
});

const stream = (text: string) => () =>
  new Response(text, { headers: { "content-type": "text/event-stream" } });
const isGetMcp = (request: Request) => request.method === "GET" && isPath("/mcp")(request);

// deno-fmt-ignore: one case per line
const broken: [point: number, what: string, host: Host][] = [
  [1, "a legacy event stream", replaced(isGetMcp, stream("event: endpoint\ndata: /messages\n\n"))],
  [1, "a GET that returns 404", replaced(isGetMcp, () => new Response(null, { status: 404 }))],
  [2, "another id in a response", changed("ping", (response) => ({ ...response, id: "1" }))],
  [2, "no jsonrpc member", changed("ping", ({ id, result }) => ({ id, result }))],
  [2, "an unknown method that succeeds", changed("gatehouse/no_such_method", ({ id }) => ({ jsonrpc: "2.0", id, result: {} }))],
  [3, "no capabilities", changed("initialize", (response) => (delete response.result.capabilities, response))],
  [4, "an invalid schema type", changed("tools/list", (response) => (response.result.tools[0].inputSchema.type = "objekt", response))],
  [4, "a schema with an invalid keyword", changed("tools/list", (response) => (response.result.tools[3].inputSchema.required = "section", response))],
  [4, "a schema with a dangling reference", changed("tools/list", (response) => (response.result.tools[4].inputSchema.properties.query = { $ref: "#/definitions/none" }, response))],
  [4, "the same name twice", changed("tools/list", (response) => (response.result.tools.push(response.result.tools[0]), response))],
  [5, "a tool that fails", changed("tools/call", (response) => (response.result.isError = true, response))],
  [5, "a call that returns an error", changed("tools/call", ({ id }) => ({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } }))],
  [5, "content without text", changed("tools/call", (response) => (response.result.content = [{ type: "text" }], response))],
  [6, "a server without a name", changed("initialize", (response) => (response.result.serverInfo = { version: "1.0.0" }, response))],
  [7, "OAuth metadata without PKCE", replaced(isPath(OAUTH), () => Response.json({ issuer: "https://a.example", authorization_endpoint: "https://a.example/authorize", token_endpoint: "https://a.example/token", response_types_supported: ["code"] }))],
  [7, "a page instead of OAuth metadata", replaced(isPath(OAUTH), () => new Response("<html>", { headers: { "content-type": "text/html" } }))],
  [8, "a newer version", changed("initialize", (response) => (response.result.protocolVersion = "2025-06-18", response))],
  [8, "a card with a newer version", document(CARD, (card) => card.protocolVersion = "2025-06-18")],
  [8, "a card of another server", document(CARD, (card) => card.serverInfo.name = "other")],
  [8, "a descriptor of another version", document("/.well-known/mcp", (it) => it.server_version = "2.0.0")],
  [8, "documents with different endpoints", document(CARD, (card) => card.transport.url = "https://other.example/mcp")],
  [9, "a gateway error", replaced(isPath(CARD), () => new Response(null, { status: 522 }))],
];

for (const [point, what, host] of broken) {
  Deno.test(`point ${point} fails for ${what}`, async () => {
    const failures = await failed(host);
    // Other points may fail too. For example, a server without a name also contradicts its card.
    assertEquals(
      failures.some((failure) => failure.point === point),
      true,
      JSON.stringify(failures),
    );
    assertEquals(failures.every(({ details }) => details.length > 0), true);
  });
}

/** Our host, which returns a status for requests with a header that matches. */
const refusing = (status: number, name: string, value: RegExp) =>
  replaced(
    ({ method, headers }) => method === "POST" && value.test(headers.get(name) ?? ""),
    () => new Response(null, { status }),
  );

// deno-fmt-ignore: one case per line
const noted: [point: number, what: string, host: Host, details: string[]][] = [
  [1, "a server that refuses clients that accept only JSON", refusing(406, "accept", /^application\/json$/), ["ping with Accept: application/json returned 406: some clients accept nothing else"]],
  [1, "a server that refuses clients that accept anything", refusing(406, "accept", /^\*\/\*$/), ["ping with Accept: */* returned 406: some clients accept nothing else"]],
  [1, "a server that opens a stream for a browser", replaced((request) => isGetMcp(request) && request.headers.get("accept") === "text/html", stream(": open\n\n")), ["GET with Accept: text/html opens a stream, for which hosted clients wait"]],
  [8, "a server that refuses other versions in the header", refusing(400, "mcp-protocol-version", /./), ["2025-11-25", "2026-07-28", "2025-11-25, 2025-11-25"].map((version) => `tools/list with MCP-Protocol-Version: ${version} returned 400: clients that send this after initialize show no tools`)],
];

for (const [point, what, host, details] of noted) {
  Deno.test(`point ${point} is noted for ${what}`, async () => {
    const result = (await check(host))[point - 1];
    assertEquals([result.outcome, result.details], ["noted", details]);
  });
}

Deno.test("a 522 from the gateway fails the last point with an explanation", async () => {
  const results = await check(() => Promise.resolve(new Response("", { status: 522 })));
  assertEquals(results[8].outcome, "fail");
  assertStringIncludes(results[8].details[0], "522 (the gateway cannot reach the server");
});

Deno.test("a host that refuses connections fails every point without throwing", async () => {
  const results = await check(() => Promise.reject(new TypeError("connection refused")));
  assertEquals(results.every(({ outcome }) => outcome === "fail"), true);
  assertStringIncludes(results[8].details[0], "connection refused");
});

Deno.test("a server with event streams and a session passes", async () => {
  const sessions = new Set<string | null>();
  const results = await check(async (request) => {
    if (isGetMcp(request)) return stream(": open\n\n")();
    if (!isPath("/mcp")(request)) return await host(request);
    sessions.add(request.headers.get("mcp-session-id"));
    const response = await host(request);
    if (response.status !== 200) return response;
    return new Response(`event: message\ndata: ${await response.text()}\n\n`, {
      headers: { "content-type": "text/event-stream", "mcp-session-id": "abc" },
    });
  });
  assertEquals(results.filter(({ outcome }) => outcome === "fail"), []);
  assertEquals([...sessions], [null, "abc"]);
});

Deno.test("a 429 is retried after the time in Retry-After", async () => {
  let calls = 0;
  waits.length = 0;
  const busy = () => new Response(null, { status: 429, headers: { "retry-after": "7" } });
  const results = await check(async (request) => ++calls === 5 ? busy() : await host(request));
  assertEquals(results.filter(({ outcome }) => outcome === "fail"), []);
  assertEquals(waits, [7000]);
});

Deno.test("a destructive tool is noted and not called", async () => {
  let called = 0;
  const base = changed("tools/list", (response) => {
    response.result.tools[0].annotations = { destructiveHint: true };
    return response;
  });
  const results = await check(async (request) => {
    if ((await request.clone().text()).includes("describe_organisation")) called++;
    return await base(request);
  });
  assertEquals([results[4].outcome, called], ["noted", 0]);
});
