/** The MCP servers: revision 2025-03-26 over Streamable HTTP, stateless (spec 4.4). */
export type { ToolDeps } from "./deps.ts";
export { createMcpServer, type McpServer, type McpServerOptions } from "./server.ts";
export { defineTool, type Tool, ToolFailure } from "./tool.ts";
export { mcpTools } from "./tools/mod.ts";
