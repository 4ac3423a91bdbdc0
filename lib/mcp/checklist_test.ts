import { assertEquals, assertStringIncludes } from "@std/assert";
import { runChecklist } from "./checklist.ts";
import { testHost, testManifest } from "./testing.ts";

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

/** Our host with one thing changed in its answers to one method. */
function changed(method: string, change: (answer: Json) => unknown): Host {
  return async (request) => {
    const sent = request.method === "POST" ? await request.clone().text() : "";
    const response = await host(request);
    if (!sent.startsWith("{") || !sent.includes(`"method":"${method}"`)) return response;
    const { status, headers } = response;
    return Response.json(change(await response.json()), { status, headers });
  };
}

/** Our host with another answer at one path or HTTP method. */
function replaced(
  matches: (request: Request) => boolean,
  answer: (request: Request) => Response | Promise<Response>,
): Host {
  return async (request) => matches(request) ? await answer(request) : await host(request);
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

Deno.test("our server passes every point; what is absent by design is noted", async () => {
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

// deno-fmt-ignore: a case a line
const broken: [point: number, what: string, host: Host][] = [
  [1, "a legacy event stream", replaced(isGetMcp, stream("event: endpoint\ndata: /messages\n\n"))],
  [1, "a GET that is 404", replaced(isGetMcp, () => new Response(null, { status: 404 }))],
  [2, "another id in an answer", changed("ping", (answer) => ({ ...answer, id: "1" }))],
  [2, "no jsonrpc member", changed("ping", ({ id, result }) => ({ id, result }))],
  [2, "an unknown method that succeeds", changed("gatehouse/no_such_method", ({ id }) => ({ jsonrpc: "2.0", id, result: {} }))],
  [3, "no capabilities", changed("initialize", (answer) => (delete answer.result.capabilities, answer))],
  [4, "a schema that is none", changed("tools/list", (answer) => (answer.result.tools[0].inputSchema.type = "objekt", answer))],
  [4, "a schema with a wrong keyword", changed("tools/list", (answer) => (answer.result.tools[3].inputSchema.required = "section", answer))],
  [4, "a schema that refers to nothing", changed("tools/list", (answer) => (answer.result.tools[4].inputSchema.properties.query = { $ref: "#/definitions/none" }, answer))],
  [4, "the same name twice", changed("tools/list", (answer) => (answer.result.tools.push(answer.result.tools[0]), answer))],
  [5, "a tool that fails", changed("tools/call", (answer) => (answer.result.isError = true, answer))],
  [5, "a call that is an error", changed("tools/call", ({ id }) => ({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } }))],
  [5, "content without text", changed("tools/call", (answer) => (answer.result.content = [{ type: "text" }], answer))],
  [6, "a nameless server", changed("initialize", (answer) => (answer.result.serverInfo = { version: "1.0.0" }, answer))],
  [7, "OAuth metadata without PKCE", replaced(isPath(OAUTH), () => Response.json({ issuer: "https://a.example", authorization_endpoint: "https://a.example/authorize", token_endpoint: "https://a.example/token", response_types_supported: ["code"] }))],
  [7, "a page where metadata belongs", replaced(isPath(OAUTH), () => new Response("<html>", { headers: { "content-type": "text/html" } }))],
  [8, "a newer version", changed("initialize", (answer) => (answer.result.protocolVersion = "2025-06-18", answer))],
  [8, "a card with a newer version", document(CARD, (card) => card.protocolVersion = "2025-06-18")],
  [8, "a card of another server", document(CARD, (card) => card.serverInfo.name = "other")],
  [8, "a descriptor of another version", document("/.well-known/mcp", (it) => it.server_version = "2.0.0")],
  [8, "documents with two endpoints", document(CARD, (card) => card.transport.url = "https://other.example/mcp")],
  [9, "a gateway error", replaced(isPath(CARD), () => new Response(null, { status: 522 }))],
];

for (const [point, what, host] of broken) {
  Deno.test(`point ${point} fails on ${what}`, async () => {
    const failures = await failed(host);
    // A thing may break further points with it (a server without a name has a wrong card).
    assertEquals(
      failures.some((failure) => failure.point === point),
      true,
      JSON.stringify(failures),
    );
    assertEquals(failures.every(({ details }) => details.length > 0), true);
  });
}

Deno.test("a host behind a failing gateway fails the last point by name", async () => {
  const results = await check(() => Promise.resolve(new Response("", { status: 522 })));
  assertEquals(results[8].outcome, "fail");
  assertStringIncludes(results[8].details[0], "522 (the gateway does not reach the server");
});

Deno.test("a host that does not answer fails, and does not throw", async () => {
  const results = await check(() => Promise.reject(new TypeError("connection refused")));
  assertEquals(results.every(({ outcome }) => outcome === "fail"), true);
  assertStringIncludes(results[8].details[0], "connection refused");
});

Deno.test("answers as an event stream and a session are understood", async () => {
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

Deno.test("a server that says when to come back is asked again then", async () => {
  let calls = 0;
  waits.length = 0;
  const busy = () => new Response(null, { status: 429, headers: { "retry-after": "7" } });
  const results = await check(async (request) => ++calls === 5 ? busy() : await host(request));
  assertEquals(results.filter(({ outcome }) => outcome === "fail"), []);
  assertEquals(waits, [7000]);
});

Deno.test("a tool that declares itself destructive is not called, but noted", async () => {
  let called = 0;
  const base = changed("tools/list", (answer) => {
    answer.result.tools[0].annotations = { destructiveHint: true };
    return answer;
  });
  const results = await check(async (request) => {
    if ((await request.clone().text()).includes("describe_organisation")) called++;
    return await base(request);
  });
  assertEquals([results[4].outcome, called], ["noted", 0]);
});
