import {
  createSingleUseTokens,
  defineTable,
  expires,
  type Expiring,
  rowType,
} from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import type { Scope } from "./scopes.ts";

/** A client, by its id. */
export interface OAuthClient {
  id: string;
  /** `registered` here (RFC 7591), or `document`: its id is the URL of a document about it. */
  kind: "registered" | "document";
  /** As the client states it. Nobody has checked it. */
  name: string;
  redirect_uris: readonly string[];
  /** True if it uses refresh tokens. Some clients do, but never ask for `offline_access`. */
  refreshes: boolean;
}

/** The row of a client that registered here. */
export interface ClientRow extends Expiring {
  name: string;
  redirect_uris: readonly string[];
  refreshes: boolean;
  /** ISO 8601 in UTC. */
  created_at: string;
  /** When it last received or refreshed tokens. Null until then. */
  last_used: string | null;
}

/** A request at `/authorize` that was valid. It waits for the person's decision. */
export interface AuthorizationRequest {
  organisation: OrganisationKey;
  issuer: string;
  client_id: string;
  client_name: string;
  client_kind: OAuthClient["kind"];
  /** As the client sent it, with the port of a loopback address. */
  redirect_uri: string;
  /** The S256 challenge. */
  challenge: string;
  scopes: Scope[];
  /** The URL that the token will be for: the MCP endpoint, or the push registration. */
  resource: string;
  state: string | null;
  /** SHA-256 of the cookie that `/authorize` set. */
  browser: string;
}

/** A decision that the browser carries from the trust surface back to the MCP host. */
export interface Handoff {
  /** SHA-256 of the request's token. */
  request: string;
  /** The record of the holder who approved; null for "Continue without a record". */
  outcome: { approved: true; record: string | null } | { approved: false };
}

/** A code that the client exchanges for tokens. */
export interface AuthorizationCode
  extends Pick<AuthorizationRequest, "client_id" | "redirect_uri" | "challenge" | "resource"> {
  grant: string;
  /** See {@link Grant}. */
  server?: string;
}

/** A person's permission for a client: everything that came from one consent. */
export interface Grant extends Expiring {
  id: string;
  organisation: OrganisationKey;
  /** The hash of the holder's record; null for a token without a record. */
  record: string | null;
  client_id: string;
  client_name: string;
  /** Where the client was redirected to: a host, or a private-use scheme. */
  redirect_host: string;
  resource: string;
  /** The base of the authorization server that issued it. Earlier versions did not store it. */
  server?: string;
  scopes: Scope[];
  /** ISO 8601 in UTC. */
  created_at: string;
  last_used: string | null;
}

/** A token, stored under its SHA-256. It is valid while its grant exists. */
export interface TokenRow extends Expiring {
  kind: "access" | "refresh";
  grant: string;
  /** The scopes that it allows: those of the grant, or fewer. */
  scopes: Scope[];
  /** When a refresh token was exchanged for its successor. ISO 8601 in UTC. */
  rotated_at?: string;
}

/** How long a registration is kept that has never led to a token. */
export const UNUSED_CLIENT_LIFETIME_MS = 7 * DAY_MS;
/** How long a registration is kept after its last use: longer than its tokens. */
export const CLIENT_LIFETIME_MS = 180 * DAY_MS;
export const REQUEST_LIFETIME_MS = 30 * MINUTE_MS;
export const HANDOFF_LIFETIME_MS = MINUTE_MS;
export const CODE_LIFETIME_MS = 60 * SECOND_MS;
/** How long a used code is stored, so that a second use revokes what the first one got. */
const CODE_REMEMBERED_MS = 10 * MINUTE_MS;

export const authorizationRequests = createSingleUseTokens<AuthorizationRequest>({
  prefix: "oauth_requests",
  lifetimeMs: REQUEST_LIFETIME_MS,
});

export const handoffs = createSingleUseTokens<Handoff>({
  prefix: "oauth_handoffs",
  lifetimeMs: HANDOFF_LIFETIME_MS,
});

export const codes = createSingleUseTokens<AuthorizationCode>({
  prefix: "oauth_codes",
  lifetimeMs: CODE_LIFETIME_MS,
  rememberedMs: CODE_REMEMBERED_MS,
});

/** The options that the tables of connections share. */
export const CONNECTION = {
  lifetime: expires("at most 90 days after the last use; 270 days for notifications"),
  privacy: {
    section: "agents",
    label: "Connections",
    text: "For each app that you connect: its name, where it returned you, what it may do, the " +
      "record that you chose, when you connected it and when it was last used. We keep them " +
      "until you disconnect the app, sign out everywhere, correct or delete the record, or the " +
      "connection ends because it is no longer used. The " +
      "app's codes and tokens are stored only as fingerprints (SHA-256).",
  },
} as const;

export const grants = defineTable({
  ...CONNECTION,
  prefix: "oauth_grants",
  row: rowType<Grant>(),
  key: ["id"],
  indexes: { oauth_grants_by_record: ["record"] },
  owner: "record",
  per: "connection",
});

export const grantKey = grants.key;
export const clientKey = (id: string): Deno.KvKey => ["oauth_clients", id];
/** @param hash SHA-256 of the token */
export const tokenKey = (hash: string): Deno.KvKey => ["oauth_tokens", hash];
