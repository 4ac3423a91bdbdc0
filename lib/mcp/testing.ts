import {
  createManifest,
  discoveryResponder,
  serverCard,
  serverDescriptor,
} from "../discovery/mod.ts";
import { SERVER_CARD_PATH, SERVER_DESCRIPTOR_PATH } from "../discovery/documents.ts";
import { createCatalogue } from "../qualifications/mod.ts";
import { createStandard } from "../standard/mod.ts";
import type { ToolDeps } from "./deps.ts";
import { createMcpServer } from "./server.ts";
import { mcpTools } from "./tools/mod.ts";

/** An organisation under placeholder addresses, for tests and benches. */
export const testManifest = createManifest({
  organisation: "foundation",
  name: "Open Records Foundation",
  description: "Steward of the open standard for verifiable records.",
  contactEmail: "contact@foundation.example",
  siteBaseUrl: "https://foundation.example",
  mcpBaseUrl: "https://mcp.foundation.example",
});

/** Dependencies of the tools: the real standard and catalogue, and no chain yet. */
export function testDeps(manifest = testManifest): ToolDeps {
  return {
    manifest,
    surfaces: () => [{
      name: "foundation",
      url: manifest.siteBaseUrl,
      purpose: "The foundation's site.",
      shows: ["the standard"],
    }],
    standard: createStandard(),
    catalogue: createCatalogue(),
    chains: {
      publisher: "trust.example",
      page: () => Promise.resolve(null),
      keys: () => Promise.resolve({ keys: [] }),
    },
  };
}

/** A whole MCP host, as the app makes one: `/mcp`, the documents, 404 for the rest. */
export function testHost(manifest = testManifest): (request: Request) => Promise<Response> {
  const server = createMcpServer({
    manifest,
    tools: mcpTools,
    deps: testDeps(manifest),
    allowedOrigins: () => false,
  });
  const routes: Record<string, (request: Request) => Promise<Response>> = {
    "/mcp": (request) => server.handle(request, "127.0.0.1"),
    [SERVER_CARD_PATH]: discoveryResponder(serverCard(manifest)),
    [SERVER_DESCRIPTOR_PATH]: discoveryResponder(serverDescriptor(manifest)),
  };
  const notFound = () => Response.json({ error: "not_found" }, { status: 404 });
  return async (request) => await (routes[new URL(request.url).pathname] ?? notFound)(request);
}
