import type { OAuthMode } from "./variables.ts";
import { RequestError } from "../../platform/http/errors.ts";
import { publicJson } from "../../platform/http/public_file.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";
import type { Issuer } from "./issuer.ts";
import type { OAuth } from "./oauth.ts";
import { pushResourceMetadata } from "./push_resource.ts";
import { METADATA } from "./responses.ts";

/** The part of a handler's state that selects the authorization server. */
interface IssuerState {
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
 * Returns a handler that serves metadata of the surface's authorization server.
 *
 * @param mode as for {@linkcode issuerOfState}
 */
export const publishMetadata = (metadataOf: (issuer: Issuer) => unknown, mode: OAuthMode) =>
  publicJson<IssuerState>((state) => metadataOf(issuerOfState(state, mode)), METADATA);

/** Serves the metadata of a trust surface's push registration; 404 if apps cannot register phones. */
export const publishPushMetadata = publicJson<IssuerState>(({ services, surface }) => {
  const resource = services.oauth.pushResourceOf(surface);
  if (resource === null) throw new RequestError(404);
  return pushResourceMetadata(resource);
}, METADATA);
