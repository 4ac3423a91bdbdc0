/**
 * The servers that `mcp.ts` compares, each in its own process:
 * `deno run -A bench/mcp_servers.ts core` prints the port that it listens on.
 * All return the same result for a call of `get_qualification`.
 *
 * @module
 */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { z } from "zod";
import { createMcpServer, mcpTools } from "../lib/features/mcp/mod.ts";
import { minimalHeaders } from "../lib/platform/http/minimal_headers.ts";
import { createSite } from "../tests/site.ts";
import { testDeps, testManifest } from "../lib/features/mcp/testing/fixtures.ts";

type Handler = (request: Request) => Response | Promise<Response>;

const deps = testDeps();

const servers: Record<string, () => Handler | Promise<Handler>> = {
  /** The upper bound: parses the request and returns a fixed result without checks. */
  bare: () => fixed({}),

  /** The same with the headers of the site's responses to `POST /mcp`. */
  same: () => fixed(minimalHeaders({})),

  core() {
    const server = createMcpServer({
      manifest: testManifest,
      tools: mcpTools,
      deps,
      allowedOrigins: () => false,
    });
    return (request) => server.handle(request, "127.0.0.1");
  },

  /** The whole site with every middleware. */
  async app() {
    const site = await createSite({ MCP_RATE_LIMIT: "0" });
    return site.handler as Handler;
  },

  /** The SDK's stateless server with one tool, created for each request as documented. */
  sdk() {
    const tool = mcpTools.find(({ name }) => name === "get_qualification")!;
    const { name, version } = { name: testManifest.serverName, version: testManifest.version };
    return async (request) => {
      const server = new McpServer({ name, version });
      server.registerTool(
        tool.name,
        { description: tool.description, inputSchema: { code: z.string().min(1).max(20) } },
        ({ code }: { code: string }) => content(code),
      );
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      await server.connect(transport);
      return await transport.handleRequest(request);
    };
  },
};

function fixed(extra: Record<string, string>): Handler {
  const result = content("BSB50420");
  const headers = { "content-type": "application/json", ...extra };
  return async (request) => {
    const { id } = JSON.parse(await request.text());
    return new Response(JSON.stringify({ jsonrpc: "2.0", id, result }), { headers });
  };
}

function content(code: string) {
  const text = JSON.stringify(deps.catalogue.get(code));
  return { content: [{ type: "text" as const, text }] };
}

Deno.serve(
  { port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(port) },
  await servers[Deno.args[0]](),
);
