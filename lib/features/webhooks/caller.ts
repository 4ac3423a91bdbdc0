import { modeOf } from "../documents/mod.ts";
import type { ApiCaller } from "../issuers/mod.ts";
import type { EndpointOwner } from "./endpoints.ts";
import type { EndpointRef } from "./rows.ts";

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Returns whose webhooks the caller of the API may see: those of its issuer, in the mode of its key. */
export const ownerOf = (caller: Pick<ApiCaller, "issuer" | "test">): EndpointOwner => ({
  issuer: caller.issuer.id,
  mode: modeOf(caller),
});

/** Returns the webhook with an id, as its owner names it. Any other text leads to none. */
export const refOf = (caller: Pick<ApiCaller, "issuer" | "test">, id: string): EndpointRef => ({
  ...ownerOf(caller),
  id: UUID.test(id) ? id : "",
});
