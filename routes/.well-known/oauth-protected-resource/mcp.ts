import { metadataEndpoint, resourceMetadata } from "../../../lib/oauth/mod.ts";
import { define, type State } from "../../../lib/state.ts";

/** Describes the MCP endpoint (RFC 9728, section 3.1). */
export const handler = define.handlers(metadataEndpoint<State>("published", resourceMetadata));
