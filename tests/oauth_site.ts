/** The steps of an app that asks for access with OAuth, for tests: requests, codes and tokens. */
import { createHash } from "node:crypto";
import { unwrap } from "../lib/platform/http/errors.ts";
import { sha256 } from "../lib/platform/kv/hash.ts";
import { type Handoff, type StoredToken, storedTokens } from "../lib/features/oauth/mod.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { HOUR_MS } from "../lib/base/time.ts";
import type { Site } from "./site.ts";

/** A PKCE verifier with its S256 challenge. */
export const VERIFIER = "v".repeat(43);
export const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

export const REDIRECT = "https://app.example/callback";
export const ISSUER = "http://mcp.foundation.localhost:8000";

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

interface ConnectOptions {
  surface?: SurfaceName;
  /** The record of the holder who approves. Default: none. */
  record?: string | null;
  scope?: string;
  /** Default: not sent, which means the MCP endpoint. */
  resource?: string;
}

/** Approves a request of a client, and returns the code that the client gets. */
export async function approvedCode(
  site: Site,
  client: string,
  { surface = "foundation-mcp", record = null, ...options }: ConnectOptions = {},
): Promise<string> {
  const { scope = "mcp record offline_access", resource = null } = options;
  const changes = { scope, resource };
  const { request, cookie } = await beginRequest(site, client, changes, { surface });
  const { pathname, search } = new URL(await decide(site, request, { approved: true, record }));
  const headers = { cookie };
  return answerOf(await site.request(surface, pathname + search, { headers })).code;
}

/** Sends a form to an endpoint of an authorization server. */
export const postForm = (
  site: Site,
  path: "/token" | "/revoke",
  form: Record<string, string> | string,
  { surface = "foundation-mcp", ...init }: RequestInit & { surface?: SurfaceName } = {},
): Promise<Response> =>
  site.request(surface, path, { method: "POST", body: new URLSearchParams(form), ...init });

/** Returns the parameters that exchange a code. */
export const codeForm = (client: string, code: string): Record<string, string> => ({
  grant_type: "authorization_code",
  client_id: client,
  code,
  redirect_uri: REDIRECT,
  code_verifier: VERIFIER,
});

/** Returns the parameters that exchange a refresh token. */
export const refreshForm = (client: string, refresh_token: string): Record<string, string> => ({
  grant_type: "refresh_token",
  client_id: client,
  refresh_token,
});

export interface TestTokens {
  access_token: string;
  refresh_token: string;
  scope: string;
}

/** Connects a client and returns its tokens. */
export async function connect(
  site: Site,
  client: string,
  options: ConnectOptions = {},
): Promise<TestTokens> {
  const code = await approvedCode(site, client, options);
  const { surface } = options;
  return await (await postForm(site, "/token", codeForm(client, code), { surface })).json();
}

/** The URL of the push registration, which an app's token for notifications is for. */
export const PUSH = "http://trust.localhost:8000/api/push/register";

/** Connects an app for the notifications of a record. */
export const connectPush = (
  site: Site,
  client: string,
  record: string,
  options: ConnectOptions = {},
): Promise<TestTokens> =>
  connect(site, client, {
    record,
    resource: PUSH,
    scope: "notifications offline_access",
    ...options,
  });

/** Takes the scopes of its resource away from an access token. */
export async function removeScopes(site: Site, token: string): Promise<void> {
  const { kv } = site.services;
  const key = storedTokens.key(sha256(token));
  const row: StoredToken = {
    ...(await kv.get<StoredToken>(key)).value!,
    scopes: ["offline_access"],
  };
  await kv.set(key, row, { expireIn: HOUR_MS });
}

export function callTool(
  site: Site,
  { token, name = "verify_chain", args = { record: "mine" }, from = "203.0.113.7", ...options }: {
    /** The access token, or the whole value of `Authorization`. */
    token?: string;
    name?: string;
    args?: Record<string, unknown>;
    from?: string;
    surface?: SurfaceName;
    headers?: Record<string, string>;
    query?: string;
    body?: unknown;
  } = {},
): Promise<Response> {
  const { surface = "foundation-mcp", headers, query = "", body } = options;
  const url = site.services.surfaces.url(surface, `/mcp${query}`)!;
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  };
  const request = new Request(url, {
    method: "POST",
    body: JSON.stringify(body ?? message),
    headers: {
      "host": new URL(url).host,
      "accept": "application/json, text/event-stream",
      "content-type": "application/json",
      ...token === undefined
        ? {}
        : { authorization: token.includes(" ") ? token : `Bearer ${token}` },
      ...headers,
    },
  });
  const remoteAddr = { transport: "tcp", hostname: from, port: 4711 } as const;
  return site.handler(request, { remoteAddr, completed: Promise.resolve() });
}

/** Calls a tool that everyone may call, and returns the status. */
export async function pingStatus(
  site: Site,
  token: string | undefined,
  options: { surface?: SurfaceName; from?: string; query?: string } = {},
): Promise<number> {
  const body = { jsonrpc: "2.0", id: 1, method: "ping" };
  const response = await callTool(site, { ...options, token, body });
  await response.body?.cancel();
  return response.status;
}
