import { OAUTH_ROUTE, publishMetadata, resourceMetadata } from "../../../lib/features/oauth/mod.ts";

export const properties = OAUTH_ROUTE;

/** Describes the MCP endpoint to clients that look at the root (RFC 9728). */
export const handler = publishMetadata(resourceMetadata, "published");
