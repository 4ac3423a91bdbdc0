import { OAUTH_ROUTE, publishMetadata, serverMetadata } from "../../../lib/features/oauth/mod.ts";

export const properties = OAUTH_ROUTE;

/** Describes the authorization server (RFC 8414). */
export const handler = publishMetadata(serverMetadata, "published");
