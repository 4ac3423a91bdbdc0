import type { OAuthMode } from "./variables.ts";
import { RequestError } from "../../platform/http/errors.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";
import type { Issuer } from "./issuer.ts";
import type { OAuth } from "./oauth.ts";
import { pushResourceMetadata } from "./push_resource.ts";

/** The part of a handler's state that selects the authorization server. */
export interface IssuerState {
  services: { oauth: OAuth };
  surface: Surface;
}

/**
 * Returns the authorization server of a handler's surface.
 *
 * @param mode the only value of `MCP_OAUTH` with which it is found; default: every value
 * @throws {RequestError} 404 if people cannot sign in here
 */
export function issuerOfState({ services, surface }: IssuerState, mode?: OAuthMode): Issuer {
  const issuer = services.oauth.issuerOf(surface);
  if (issuer === null || (mode ?? issuer.mode) !== issuer.mode) throw new RequestError(404);
  return issuer;
}

/**
 * Returns the metadata of a trust surface's push registration.
 *
 * @throws {RequestError} 404 if apps cannot register phones here
 */
export function pushMetadataOfState({ services, surface }: IssuerState) {
  const resource = services.oauth.pushResourceOf(surface);
  if (resource === null) throw new RequestError(404);
  return pushResourceMetadata(resource);
}
