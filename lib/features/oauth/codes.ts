/** Issues an authorization code, with its grant, after a person has approved a request. */
import { encodeBase64Url } from "../../base/encoding.ts";
import { isoAfter } from "../../platform/kv/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { redirectHost } from "./redirects.ts";
import { type AuthorizationRequest, codes, type Grant, grants } from "./rows.ts";

/** How long a grant is kept whose code nobody has exchanged. */
const UNEXCHANGED_LIFETIME_MS = 10 * MINUTE_MS;

/**
 * Adds a code and its grant to a commit, after the person approved a request.
 *
 * @param server the base of the authorization server
 * @param record the hash of the holder's record; null for "Continue without a record"
 */
export function createCode(
  commit: Deno.AtomicOperation,
  { request, server, record, now }: {
    request: AuthorizationRequest;
    server: string;
    record: string | null;
    now: number;
  },
): { code: string; grant: Grant } {
  const { organisation, client_id, client_name, redirect_uri, challenge, resource, scopes } =
    request;
  const grant: Grant = {
    id: encodeBase64Url(crypto.getRandomValues(new Uint8Array(16))),
    organisation,
    record,
    client_id,
    client_name,
    redirect_host: redirectHost(redirect_uri),
    resource,
    server,
    scopes: scopes.filter((scope) => scope !== "record" || record !== null),
    created_at: isoAfter(now, 0),
    expires_at: isoAfter(now, UNEXCHANGED_LIFETIME_MS),
  };
  grants.set(commit, grant, now);
  const data = { grant: grant.id, client_id, redirect_uri, challenge, resource, server };
  const { token: code } = codes.create(commit, data, now);
  return { code, grant };
}
