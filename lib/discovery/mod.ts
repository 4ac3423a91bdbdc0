/** What the organisations publish about their MCP servers (spec 2.7, 4.4). */
export * from "./manifest.ts";
export * from "./connect.ts";
export * from "./documents.ts";
export * from "./respond.ts";
