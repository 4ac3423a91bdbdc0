/** A manifest, data for tools, and an MCP host for tests. */
import { createCatalogue } from "../../qualifications/mod.ts";
import { createStandard } from "../../standard/mod.ts";
import {
  mcpTools,
  SERVER_CARD_PATH,
  SERVER_DESCRIPTOR_PATH,
  serverCard,
  serverDescriptor,
} from "../mod.ts";
import { type ToolDeps } from "../tool.ts";
import { createMcpServer } from "../server.ts";
import { createManifest } from "../manifest.ts";

/** The manifest of an organisation with placeholder addresses. */
export const testManifest = createManifest({
  organisation: "foundation",
  organisationName: "Open Records Foundation",
  description: "Steward of the open standard for verifiable records.",
  contactEmail: "contact@foundation.example",
  siteBaseUrl: "https://foundation.example",
  mcpBaseUrl: "https://mcp.foundation.example",
});

/** Returns the data that tools read: the real standard and catalogue, but no chains. */
export function testDeps(): ToolDeps {
  return {
    manifest: testManifest,
    surfaces: () => [{
      name: "foundation",
      url: testManifest.siteBaseUrl,
      purpose: "The foundation's site.",
      shows: ["the standard"],
    }, {
      name: "trust",
      url: "https://trust.example",
      purpose: "Verification.",
      shows: ["/verify", "/check"],
    }],
    standard: createStandard(),
    catalogue: createCatalogue(),
    chains: {
      publisher: "trust.example",
      page: () => Promise.resolve(null),
      keys: () => Promise.resolve({ keys: [] }),
    },
    logOf: () => Promise.resolve({ log_proof: null, log: "Not in the log." }),
    recordOf: () => Promise.resolve(null),
  };
}

/** Returns the handler of an MCP host with `/mcp` and the documents. */
export function testHost(): (request: Request) => Promise<Response> {
  const server = createMcpServer({
    manifest: testManifest,
    tools: mcpTools,
    deps: testDeps(),
    allowedOrigins: () => false,
  });
  const documents: Record<string, unknown> = {
    [SERVER_CARD_PATH]: serverCard(testManifest),
    [SERVER_DESCRIPTOR_PATH]: serverDescriptor(testManifest),
  };
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/mcp") return await server.handle(request, "127.0.0.1");
    const document = documents[pathname];
    return document === undefined
      ? Response.json({ error: "not_found" }, { status: 404 })
      : Response.json(document);
  };
}
