import { isUuid } from "../../base/uuid.ts";
import { modeOf } from "../documents/mod.ts";
import type { ApiCaller, Caller } from "../issuers/mod.ts";
import type { EndpointCreator, EndpointOwner } from "./endpoints.ts";
import type { EndpointRef } from "./rows.ts";

/** Returns whose webhooks the caller of the API may see: those of its issuer, in the mode of its key. */
export const ownerOf = (caller: Pick<ApiCaller, "issuer" | "test">): EndpointOwner => ({
  issuer: caller.issuer.id,
  mode: modeOf(caller),
});

/** Returns what a new webhook of the caller belongs to, and the key that creates it. */
export const creatorOf = (caller: Caller): EndpointCreator => ({
  ...ownerOf(caller),
  key: caller.key.id,
});

/** Returns the webhook with an id, as its owner names it. Any other text leads to none. */
export const refOf = (caller: Pick<ApiCaller, "issuer" | "test">, id: string): EndpointRef => ({
  ...ownerOf(caller),
  id: isUuid(id) ? id : "",
});
