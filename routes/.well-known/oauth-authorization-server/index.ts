import { metadataEndpoint, serverMetadata } from "../../../lib/oauth/mod.ts";
import { define, type State } from "../../../lib/state.ts";

/** Describes the authorization server (RFC 8414). */
export const handler = define.handlers(metadataEndpoint<State>("published", serverMetadata));
