import { OAUTH_ROUTE, publishPushMetadata } from "../../../../../lib/features/oauth/mod.ts";

export const properties = OAUTH_ROUTE;

/** Describes where apps register phones for notifications (RFC 9728, section 3.1). */
export const handler = publishPushMetadata;
