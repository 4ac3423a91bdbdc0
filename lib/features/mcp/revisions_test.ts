import { assertEquals } from "@std/assert";
import { createMcpServer, type McpServer, mcpTools } from "./mod.ts";
import { testDeps, testManifest } from "./testing/fixtures.ts";
import { listing } from "./tool.ts";

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
  const request = new Request("http://localhost/mcp", {
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

const INITIALIZED = JSON.stringify({
  protocolVersion: "2025-03-26",
  capabilities: { tools: {} },
  serverInfo: { name: "open-records-foundation", version: "1.0.0" },
  instructions: "Steward of the open standard for verifiable records.",
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
const wrongVersion = {
  status: 400,
  text: `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,` +
    `"message":"Bad Request: unsupported MCP-Protocol-Version (supported: 2025-03-26)"}}`,
};
const nothing = { status: 202, text: "" };

const INITIALIZED_NOTE = { jsonrpc: "2.0", method: "notifications/initialized" };
const CLAUDE_CODE = { name: "claude-code", version: "2.1.317" };
const VSCODE = { name: "Visual Studio Code", version: "1.132.0" };

/**
 * A message that a client sends to connect: the body, additional headers and the expected response.
 */
type Exchange = [unknown, Record<string, string>, { status: number; text: string }];

const version = (value: string) => ({ "mcp-protocol-version": value });

const connections: Record<string, Exchange[]> = {
  "Claude Code 2.1.317 tries server/discover, then initialize 2025-11-25": [
    [
      modern("server/discover", CLAUDE_CODE, "server-discover-probe-1"),
      { ...version("2026-07-28"), "mcp-method": "server/discover" },
      notFound("server-discover-probe-1"),
    ],
    [initialize("2025-11-25", CLAUDE_CODE, { roots: {}, elicitation: {} }), {}, accepted()],
    [INITIALIZED_NOTE, version("2025-03-26"), nothing],
  ],
  "Codex 0.165.0 sends initialize 2025-06-18": [
    [
      initialize("2025-06-18", {
        name: "codex-mcp-client",
        title: "Codex",
        version: "0.165.0",
      }, { elicitation: {} }),
      {},
      accepted(),
    ],
    [INITIALIZED_NOTE, version("2025-03-26"), nothing],
  ],
  "VS Code 1.132 sends initialize 2025-11-25": [
    [
      initialize("2025-11-25", VSCODE, {
        roots: { listChanged: true },
        sampling: {},
        elicitation: { form: {}, url: {} },
      }),
      {},
      accepted(),
    ],
    [INITIALIZED_NOTE, version("2025-03-26"), nothing],
  ],
  "a client that sends its newest version in the header of initialize": [
    [initialize("2025-11-25"), version("2025-11-25"), accepted()],
    [INITIALIZED_NOTE, version("2025-03-26"), nothing],
  ],
  "a client of 2025-03-26 that never sends the header": [
    [initialize("2025-03-26"), {}, accepted()],
    [INITIALIZED_NOTE, {}, nothing],
  ],
  "a client that knows only 2026-07-28": [
    [
      modern("server/discover", { name: "modern", version: "1" }),
      { ...version("2026-07-28"), "mcp-method": "server/discover" },
      notFound(),
    ],
    [
      modern("tools/list", { name: "modern", version: "1" }),
      { ...version("2026-07-28"), "mcp-method": "tools/list" },
      wrongVersion,
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

Deno.test("every other request with a version in the header returns 400 unless it is ours", async () => {
  const server = createServer();
  const messages = [
    request("ping"),
    request("tools/list"),
    request("tools/call", { name: "list_surfaces", arguments: {} }),
    [request("ping")],
    INITIALIZED_NOTE,
    { jsonrpc: "2.0", id: 1 },
  ];
  for (const value of VERSIONS.filter((value) => value !== "2025-03-26")) {
    for (const message of messages) {
      assertEquals(await send(server, message, version(value)), wrongVersion);
    }
  }
  const pong = { status: 200, text: '{"jsonrpc":"2.0","id":1,"result":{}}' };
  assertEquals(await send(server, request("ping"), version("2025-03-26")), pong);
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

Deno.test("an unknown method returns 404 under a later version, and 200 under ours", async () => {
  const server = createServer();
  const ours = { ...notFound(), status: 200 };
  for (const method of ["resources/list", "of/the/future"]) {
    assertEquals(await send(server, request(method)), ours);
    assertEquals(await send(server, request(method), version("2025-03-26")), ours);
    assertEquals(await send(server, request(method), version("2027-01-01")), notFound());
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
      "Invalid params: protocolVersion: Invalid input: expected string, received undefined; " +
        "capabilities: Invalid input: expected object, received undefined",
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
    failed(-32602, 'Invalid arguments for list_surfaces: Unrecognized key: "no"'),
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
