import { OAUTH_ROUTE, publishMetadata, serverMetadata } from "../../../lib/features/oauth/mod.ts";

export const properties = OAUTH_ROUTE;

/** Describes the authorization server to clients that followed a challenge (RFC 8414, section 3.1). */
export const handler = publishMetadata(serverMetadata, "challenge");
