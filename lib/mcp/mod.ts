/**
 * The MCP servers, revision 2025-03-26 over stateless Streamable HTTP, and the documents, headers
 * and tags that help agents find them (spec 2.7, 4.4).
 *
 * @module
 */
export { connectionStrings, type ConnectProps, connectProps } from "./connect.ts";
export {
  headLinks,
  linkHeader,
  SERVER_CARD_PATH,
  SERVER_DESCRIPTOR_PATH,
  serverCard,
  serverDescriptor,
} from "./documents.ts";
export { createManifest, type Manifest } from "./manifest.ts";
export { createMcpServer, type McpServer } from "./server.ts";
export { defineTool, type ToolDeps } from "./tool.ts";
export { mcpTools } from "./tools/mod.ts";
