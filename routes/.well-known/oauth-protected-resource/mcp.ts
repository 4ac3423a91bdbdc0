import { OAUTH_ROUTE, publishMetadata, resourceMetadata } from "../../../lib/features/oauth/mod.ts";

export const properties = OAUTH_ROUTE;

/** Describes the MCP endpoint (RFC 9728, section 3.1). */
export const handler = publishMetadata(resourceMetadata, "published");
