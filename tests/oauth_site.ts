import { createHash } from "node:crypto";
import { unwrap } from "../lib/http/errors.ts";
import type { Handoff } from "../lib/oauth/mod.ts";
import type { SurfaceName } from "../lib/surfaces/mod.ts";
import type { Site } from "./site.ts";

/** A PKCE verifier with its S256 challenge. */
export const VERIFIER = "v".repeat(43);
export const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

export const REDIRECT = "https://app.example/callback";
export const ISSUER = "http://mcp.foundation.localhost:8000";

/** Registers a client and returns its id. */
export async function registerClient(
  site: Site,
  metadata: Record<string, unknown> = {},
  surface: SurfaceName = "foundation-mcp",
): Promise<string> {
  const response = await site.request(surface, "/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Example app", redirect_uris: [REDIRECT], ...metadata }),
  });
  return (await response.json()).client_id;
}

/** Returns the path of a valid authorization request, with changes; null removes a parameter. */
export function authorizePath(client: string, changes: Record<string, string | null> = {}): string {
  const params = {
    response_type: "code",
    client_id: client,
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    state: "s t&ate",
    ...changes,
  };
  const given = Object.entries(params).filter(([, value]) => value !== null) as [string, string][];
  return `/authorize?${new URLSearchParams(given)}`;
}

/** Sends a valid request. Returns the token of the stored request, and the browser's cookie. */
export async function beginRequest(
  site: Site,
  client: string,
  changes: Record<string, string | null> = {},
  { cookie, surface = "foundation-mcp" }: { cookie?: string; surface?: SurfaceName } = {},
): Promise<{ request: string; cookie: string }> {
  const headers: HeadersInit = cookie === undefined ? {} : { cookie };
  const response = await site.request(surface, authorizePath(client, changes), { headers });
  return {
    request: new URL(response.headers.get("location")!).searchParams.get("request")!,
    cookie: response.headers.get("set-cookie")!.split(";")[0],
  };
}

/** Decides a request as the consent page does. Returns the URL that carries the decision back. */
export async function decide(
  site: Site,
  request: string,
  outcome: Handoff["outcome"],
): Promise<string> {
  return unwrap(await site.services.oauth.decide(request, outcome)).location;
}

/** Returns the parameters that a redirect adds to the client's URL. */
export const answerOf = (response: Response): Record<string, string> =>
  Object.fromEntries(new URL(response.headers.get("location")!).searchParams);
