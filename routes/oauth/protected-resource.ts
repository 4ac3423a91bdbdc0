import { OAUTH_ROUTE, publishMetadata, resourceMetadata } from "../../lib/features/oauth/mod.ts";

export const properties = OAUTH_ROUTE;

/** Describes the MCP endpoint to clients that followed a challenge (RFC 9728, section 5.1). */
export const handler = publishMetadata(resourceMetadata, "challenge");
