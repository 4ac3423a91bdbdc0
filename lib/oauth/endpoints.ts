import type { OAuthMode } from "../config/oauth.ts";
import { withCors } from "../http/cors.ts";
import { endpoint, type EndpointHandler } from "../http/endpoint.ts";
import { RequestError } from "../http/errors.ts";
import { cacheableJson } from "../http/etag.ts";
import type { Surface } from "../surfaces/mod.ts";
import type { Issuer } from "./issuer.ts";
import type { OAuth } from "./oauth.ts";
import { pushResourceMetadata } from "./push_resource.ts";
import { programCors } from "./responses.ts";

/** The part of a handler's state that selects the authorization server. */
export interface IssuerState {
  services: { oauth: OAuth };
  surface: Surface;
}

/**
 * Returns the authorization server of a handler's surface.
 *
 * @throws {RequestError} 404 if people cannot sign in here
 */
export function issuerOfState({ services, surface }: IssuerState): Issuer {
  const issuer = services.oauth.issuerOf(surface);
  if (issuer === null) throw new RequestError(404);
  return issuer;
}

/** How long caches keep metadata. A change of `MCP_OAUTH` takes effect after this time. */
const CACHED = "public, max-age=300";

/**
 * Creates the endpoint of a metadata document, for clients of any origin.
 *
 * @param mode the value of `MCP_OAUTH` with which it is served; otherwise it returns 404
 */
export const metadataEndpoint = <State extends IssuerState>(
  mode: OAuthMode,
  document: (issuer: Issuer) => unknown,
): EndpointHandler<State> =>
  withCors<State>(
    () => programCors(["GET", "HEAD"]),
    endpoint<State>({
      GET({ req, state }) {
        const issuer = issuerOfState(state);
        if (issuer.mode !== mode) throw new RequestError(404);
        return cacheableJson(req, document(issuer), CACHED);
      },
    }),
  );

/** Creates the endpoint of the metadata of a trust surface's push registration. */
export const pushMetadataEndpoint = <State extends IssuerState>(): EndpointHandler<State> =>
  withCors<State>(
    () => programCors(["GET", "HEAD"]),
    endpoint<State>({
      GET({ req, state: { services, surface } }) {
        const resource = services.oauth.pushResourceOf(surface);
        if (resource === null) throw new RequestError(404);
        return cacheableJson(req, pushResourceMetadata(resource), CACHED);
      },
    }),
  );
