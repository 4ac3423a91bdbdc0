import { assertEquals } from "@std/assert";
import { mcpTools } from "./mod.ts";
import { type McpServer } from "./server.ts";
import { createMcpServer } from "./server.ts";
import { testDeps, testManifest } from "./testing/fixtures.ts";
import { instructionsOf, listing } from "./tool.ts";

// Tests the messages of clients of each revision against a server of 2025-03-26.

const MODERN = "io.modelcontextprotocol";

function createServer(): McpServer {
  return createMcpServer({
    manifest: testManifest,
    tools: mcpTools,
    deps: testDeps(),
    allowedOrigins: () => false,
  });
}

async function send(server: McpServer, body: unknown, headers: Record<string, string> = {}) {
  const request = body instanceof Request ? body : new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const response = await server.handle(request, "203.0.113.1");
  return { status: response.status, text: await response.text() };
}

const request = (method: string, params: unknown = {}, id: string | number = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

const initialize = (
  protocolVersion: string,
  clientInfo: Record<string, unknown> = { name: "test", version: "1" },
  capabilities: Record<string, unknown> = {},
) => request("initialize", { protocolVersion, capabilities, clientInfo }, 0);

/** A request from a client of 2026-07-28: stateless, with the version in `_meta`. */
const modern = (method: string, clientInfo: unknown, id: string | number = 1) =>
  request(method, {
    _meta: {
      [`${MODERN}/protocolVersion`]: "2026-07-28",
      [`${MODERN}/clientInfo`]: clientInfo,
      [`${MODERN}/clientCapabilities`]: {},
    },
  }, id);

const instructions = instructionsOf(testManifest.description, mcpTools);

const INITIALIZED = JSON.stringify({
  protocolVersion: "2025-03-26",
  capabilities: { tools: {} },
  serverInfo: { name: "open-records-foundation", version: "1.0.0" },
  instructions,
});
const accepted = (id: string | number = 0) => ({
  status: 200,
  text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${INITIALIZED}}`,
});
const notFound = (id: string | number = 1) => ({
  status: 404,
  text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},` +
    `"error":{"code":-32601,"message":"Method not found"}}`,
});
const refused = (reason: string, id: string | number | null) => ({
  status: 400,
  text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32000,` +
    `"message":"Bad Request: ${reason} (supported: 2025-03-26)"}}`,
});
const wrongVersion = (id: string | number | null = 1) =>
  refused("this revision of MCP is not supported", id);
const wrongHeader = (id: string | number | null = 1) =>
  refused("MCP-Protocol-Version must be a date", id);
const listed = (id: string | number = 1) => ({
  status: 200,
  text: JSON.stringify({ jsonrpc: "2.0", id, result: { tools: mcpTools.map(listing) } }),
});
const unknown = (id: string | number = 1) => ({ ...notFound(id), status: 200 });
const notAllowed = {
  status: 405,
  text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,' +
    '"message":"Method Not Allowed: use POST"}}',
};
const nothing = { status: 202, text: "" };

const INITIALIZED_NOTE = { jsonrpc: "2.0", method: "notifications/initialized" };
const CLAUDE_CODE = { name: "claude-code", version: "2.1.317" };
const VSCODE = { name: "Visual Studio Code", version: "1.132.0" };

/**
 * A message that a client sends: the body or a request, additional headers and the expected
 * response.
 */
type Exchange = [unknown, Record<string, string>, { status: number; text: string }];

const version = (value: string) => ({ "mcp-protocol-version": value });

/** Initialises with one version in the body, and then sends a header with every other message. */
const connecting = (
  requested: string,
  later: Record<string, string>,
  first: Record<string, string> = {},
  clientInfo?: Record<string, unknown>,
  capabilities?: Record<string, unknown>,
): Exchange[] => [
  [initialize(requested, clientInfo, capabilities), first, accepted()],
  [INITIALIZED_NOTE, later, nothing],
  [request("tools/list"), later, listed()],
];

const discover = (clientInfo: Record<string, unknown>, id: string | number): Exchange => [
  modern("server/discover", clientInfo, id),
  { ...version("2026-07-28"), "mcp-method": "server/discover" },
  notFound(id),
];

const withoutBody = (method: string, accept: string) =>
  new Request("http://localhost/mcp", { method, headers: { accept } });

const APPS = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
};

const connections: Record<string, Exchange[]> = {
  "the hosted connector of Claude sends 2026-07-28 with every later request": connecting(
    "2025-11-25",
    version("2026-07-28"),
  ),
  "a Claude that declares 2026-07-28 keeps it in the header": connecting(
    "2026-07-28",
    version("2026-07-28"),
    version("2026-07-28"),
  ),
  "Claude Code through a connector sends 2025-11-25 in the header and 2026-07-28 in _meta": [
    [modern("server/discover", CLAUDE_CODE), version("2025-11-25"), notFound()],
    [modern("tools/list", CLAUDE_CODE), version("2025-11-25"), wrongVersion()],
    ...connecting("2025-11-25", version("2025-11-25"), {}, CLAUDE_CODE),
  ],
  "Claude Code sends 2025-11-25 after it agreed on an earlier version": connecting(
    "2024-11-05",
    version("2025-11-25"),
    {},
    CLAUDE_CODE,
  ),
  "@ai-sdk/mcp sends its newest version with initialize and every later request": connecting(
    "2025-11-25",
    version("2025-11-25"),
    version("2025-11-25"),
  ),
  "a stdio proxy sends the version that it requested": connecting(
    "2025-06-18",
    version("2025-06-18"),
  ),
  "Claude Code 2.1 sends the version twice, joined": connecting(
    "2025-11-25",
    version("2025-11-25, 2025-11-25"),
    {},
    CLAUDE_CODE,
  ),
  "Claude Code, Codex and Gemini join two versions": connecting(
    "2025-11-25",
    version("2025-11-25, 2025-06-18"),
  ),
  "a client that never sends the header": connecting("2025-03-26", {}),
  "a client that sends 2025-11-25 unasked, before anything else": [
    [request("tools/list"), version("2025-11-25"), listed()],
  ],

  "the hosted connector of Claude since August 2026": [
    [withoutBody("GET", "text/html"), {}, notAllowed],
    [initialize("2025-11-25", { name: "Anthropic", version: "1.0.0" }), {}, accepted()],
    discover({ name: "Anthropic", version: "1.0.0" }, 1),
    ...["Anthropic/Toolbox", "Anthropic/ClaudeAI", "claude-ai"].map((name): Exchange => [
      initialize("2025-11-25", { name, version: "1.0.0" }, name === "claude-ai" ? APPS : {}),
      {},
      accepted(),
    ]),
    [request("tools/list"), version("2026-07-28"), listed()],
    [request("resources/list"), version("2026-07-28"), unknown()],
    [request("prompts/list"), version("2026-07-28"), unknown()],
  ],
  "Claude Code tries server/discover, then initialize 2025-11-25": [
    discover({
      ...CLAUDE_CODE,
      title: "Claude Code",
      description: "A coding agent",
      websiteUrl: "https://claude.example",
    }, "server-discover-probe-1"),
    ...connecting("2025-11-25", version("2025-03-26"), {}, CLAUDE_CODE, {
      roots: {},
      elicitation: {},
    }),
  ],
  "Claude Code 2.1.280 sends initialize after discovery, with the newest version everywhere": [
    discover(CLAUDE_CODE, "server-discover-probe-1"),
    [
      request("initialize", {
        ...modern("initialize", CLAUDE_CODE).params as object,
        protocolVersion: "2026-07-28",
        capabilities: {},
        clientInfo: CLAUDE_CODE,
      }, 0),
      version("2026-07-28"),
      accepted(),
    ],
    [request("tools/list"), version("2026-07-28"), listed()],
  ],
  "Codex sends initialize 2025-06-18": connecting(
    "2025-06-18",
    version("2025-03-26"),
    {},
    { name: "codex-mcp-client", title: "Codex", version: "0.165.0" },
    { elicitation: {} },
  ),
  "Cursor sends initialize 2025-11-25, expects a stream and ends its session": [
    ...connecting("2025-11-25", version("2025-03-26"), {}, { name: "cursor", version: "2.0.0" }),
    [withoutBody("GET", "text/event-stream"), {}, notAllowed],
    [withoutBody("DELETE", "*/*"), {}, notAllowed],
  ],
  "VS Code sends initialize 2025-11-25": connecting(
    "2025-11-25",
    version("2025-03-26"),
    {},
    VSCODE,
    { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } },
  ),

  "a client that knows only 2026-07-28": [
    discover({ name: "modern", version: "1" }, 1),
    [
      modern("tools/list", { name: "modern", version: "1" }),
      { ...version("2026-07-28"), "mcp-method": "tools/list" },
      wrongVersion(),
    ],
  ],
};

for (const [name, exchanges] of Object.entries(connections)) {
  Deno.test(`connecting: ${name}`, async () => {
    const server = createServer();
    for (const [body, headers, expected] of exchanges) {
      assertEquals(await send(server, body, headers), expected);
    }
  });
}

const VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "nonsense"];

Deno.test("initialize returns the same response for every version in body and header", async () => {
  const server = createServer();
  for (const requested of VERSIONS) {
    for (const headers of [{}, ...VERSIONS.map(version)]) {
      assertEquals(await send(server, initialize(requested), headers), accepted());
    }
  }
});

Deno.test("every other message is answered as at 2025-03-26 if the header is a date or several", async () => {
  const server = createServer();
  const messages = [
    request("ping"),
    request("tools/list"),
    request("tools/call", { name: "list_surfaces", arguments: {} }),
    request("resources/list"),
    [request("ping")],
    [],
    INITIALIZED_NOTE,
    { jsonrpc: "2.0", id: 1 },
  ];
  const dates = VERSIONS.filter((value) => value !== "nonsense");
  const joined = ["2025-11-25, 2025-11-25", "2025-11-25,2025-06-18", "2099-12-31 ,2026-07-28"];
  for (const message of messages) {
    const expected = await send(server, message);
    for (const value of [...dates, ...joined]) {
      assertEquals(await send(server, message, version(value)), expected, value);
    }
  }
});

Deno.test("a header that is not a date returns 400, with the id of the request", async () => {
  const server = createServer();
  const headers = ["nonsense", "", "1.0", "2025-11-25x", "2025-11-25,", ", 2025-11-25", "2025-1-1"];
  for (
    const value of [...headers, "2025-11-25; q=1", "2025-11-25 2025-11-25", ",".repeat(100_000)]
  ) {
    assertEquals(await send(server, request("tools/list", {}, 7), version(value)), wrongHeader(7));
    assertEquals(await send(server, INITIALIZED_NOTE, version(value)), wrongHeader(null));
    assertEquals(await send(server, [request("ping")], version(value)), wrongHeader(null));
  }
});

/** A request that names a version in `_meta`. */
const naming = (method: string, value: unknown, more = {}) =>
  request(method, { ...more, _meta: { [`${MODERN}/protocolVersion`]: value } });

Deno.test("a request with a stateless revision in _meta returns 400, and server/discover 404", async () => {
  const server = createServer();
  for (
    const value of ["2026-07-28", "2027-01-01", "nonsense", "", 20260728, null, ["2025-03-26"]]
  ) {
    for (const headers of [{}, ...VERSIONS.map(version)]) {
      const call = { name: "list_surfaces", arguments: {} };
      assertEquals(await send(server, naming("tools/list", value), headers), wrongVersion());
      assertEquals(await send(server, naming("tools/call", value, call), headers), wrongVersion());
      assertEquals(await send(server, naming("tasks/get", value), headers), wrongVersion());
      assertEquals(await send(server, naming("no/method", value), headers), wrongVersion());
      assertEquals(await send(server, naming("server/discover", value), headers), notFound());
    }
  }
});

Deno.test("a batch is answered as at 2025-03-26, because later revisions have none", async () => {
  const batch = [naming("tools/list", "2026-07-28"), request("server/discover", {}, 2)];
  assertEquals(await send(createServer(), batch, version("2026-07-28")), {
    status: 200,
    text: `[${listed().text},${unknown(2).text}]`,
  });
});

Deno.test("a request with an earlier revision in _meta is answered as at 2025-03-26", async () => {
  const server = createServer();
  for (const value of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
    assertEquals(await send(server, naming("tools/list", value)), listed());
  }
  for (const _meta of [null, "text", 5, [], { progressToken: 1 }]) {
    assertEquals(await send(server, request("tools/list", { _meta })), listed());
  }
});

Deno.test("methods of later revisions return 404 and -32601 with any version header", async () => {
  const server = createServer();
  const methods = [
    "server/discover",
    "subscriptions/listen",
    "tasks/cancel",
    "tasks/get",
    "tasks/list",
    "tasks/result",
    "tasks/update",
  ];
  for (const method of methods) {
    for (const headers of [{}, ...VERSIONS.map(version)]) {
      assertEquals(await send(server, request(method), headers), notFound());
    }
  }
});

Deno.test("an unknown method returns 200 and -32601 with any version header", async () => {
  const server = createServer();
  for (const method of ["resources/list", "of/the/future"]) {
    for (const headers of [{}, version("2025-03-26"), version("2027-01-01")]) {
      assertEquals(await send(server, request(method), headers), unknown());
    }
  }
});

Deno.test("initialize with a later header and wrong params returns -32602", async () => {
  const { status, text } = await send(
    createServer(),
    request("initialize", {}),
    version("2025-11-25"),
  );
  assertEquals([status, JSON.parse(text).error.code], [200, -32602]);
});

const failed = (code: number, message: string, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
const called = (text: string, more = {}) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    result: { content: [{ type: "text", text }], ...more },
  });
const PONG = '{"jsonrpc":"2.0","id":1,"result":{}}';

// Recorded before the server handled later revisions: body, status and response.
const recorded: [unknown, number, string][] = [
  [request("ping"), 200, PONG],
  [request("resources/list"), 200, failed(-32601, "Method not found")],
  [
    request("initialize"),
    200,
    failed(
      -32602,
      "Invalid params: protocolVersion: send text, which is missing; " +
        "capabilities: send an object, which is missing",
    ),
  ],
  [
    request("tools/list", { cursor: "2" }),
    200,
    failed(-32602, "Invalid params: cursor: this list has no pages"),
  ],
  [
    request("tools/call", { name: "no_such_tool", arguments: {} }),
    200,
    failed(-32602, "Unknown tool: no_such_tool"),
  ],
  [
    request("tools/call", { name: "list_surfaces", arguments: { no: 1 } }),
    200,
    failed(-32602, 'Invalid arguments for list_surfaces: there is no "no". It takes no arguments.'),
  ],
  [
    request("tools/call", { name: "list_surfaces", arguments: {} }),
    200,
    called(
      '{"surfaces":[{"name":"foundation","url":"https://foundation.example",' +
        '"purpose":"The foundation\'s site.","shows":["the standard"]},' +
        '{"name":"trust","url":"https://trust.example",' +
        '"purpose":"Verification.","shows":["/verify","/check"]}]}',
    ),
  ],
  [
    request("tools/call", { name: "get_qualification", arguments: { code: "XXX00000" } }),
    200,
    called(
      '{"error":"not_found","message":"There is no qualification \\"XXX00000\\" in this ' +
        'catalogue. Try search_qualifications."}',
      { isError: true },
    ),
  ],
  [
    [request("ping"), request("server/discover"), INITIALIZED_NOTE, request("resources/list")],
    200,
    `[${PONG},${failed(-32601, "Method not found")},${failed(-32601, "Method not found")}]`,
  ],
  [[], 400, failed(-32600, "Invalid Request: the batch is rejected because it is empty", null)],
  [
    [initialize("2025-03-26")],
    400,
    failed(
      -32600,
      "Invalid Request: the batch is rejected because initialize must not be part of it",
      null,
    ),
  ],
  [
    { jsonrpc: "2.0", id: 3 },
    400,
    failed(-32600, "Invalid Request: not a JSON-RPC 2.0 message", 3),
  ],
  ["{", 400, failed(-32700, "Parse error: the body is not JSON", null)],
];

Deno.test("a client of 2025-03-26 gets the recorded bytes, with and without the header", async () => {
  const server = createServer();
  for (const [body, status, text] of recorded) {
    assertEquals(await send(server, body), { status, text });
    assertEquals(await send(server, body, version("2025-03-26")), { status, text });
  }
});

Deno.test("tools/list at 2025-03-26 has no members from later revisions", async () => {
  const { text } = await send(createServer(), request("tools/list"));
  const { tools } = JSON.parse(text).result;
  assertEquals(JSON.stringify(tools), JSON.stringify(mcpTools.map(listing)));
  for (const tool of tools) {
    assertEquals(Object.keys(tool), ["name", "description", "inputSchema", "annotations"]);
  }
});
