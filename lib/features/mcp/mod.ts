/**
 * The MCP servers, revision 2025-03-26 over stateless Streamable HTTP, and the documents, headers
 * and tags that help agents find them (spec 2.7, 4.4).
 *
 * @module
 */
export {
  AI_CATALOG_PATH,
  AI_CATALOG_TYPE,
  aiCatalog,
  REGISTRY_CARD_PATH,
  REGISTRY_CARD_TYPE,
  REGISTRY_ENTRY_PATH,
  registryCard,
  registryEntry,
} from "./registry_documents.ts";
export { type Caller, type Protection, RECORD_REQUESTS_PER_MINUTE } from "./caller.ts";
export { type ConnectProps, connectProps, installs } from "./connect.ts";
export {
  headLinks,
  linkHeader,
  SERVER_CARD_PATH,
  SERVER_DESCRIPTOR_PATH,
  serverCard,
  serverDescriptor,
} from "./documents.ts";
export { serverCardSchema, serverDescriptorSchema } from "./document_schemas.ts";
export { type Manifest } from "./manifest.ts";
export { type Listing } from "./tool.ts";
export { type ToolField, toolFields } from "./tool_guide.ts";
export { mcpTools } from "./tools/mod.ts";
