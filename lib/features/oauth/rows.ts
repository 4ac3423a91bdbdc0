/** The stored data of OAuth: clients, requests, decisions, grants, codes and tokens. */
import { z } from "zod";
import {
  createSingleUseTokens,
  defineTable,
  expires,
  EXPIRING,
  TOKEN,
} from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DAY_MS, inDays, inMinutes, MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import { SCOPES } from "./scopes.ts";

/** ISO 8601 in UTC. */
const time = z.iso.datetime();
const organisation = z.enum(["foundation", "commercial"] satisfies OrganisationKey[]);
const scopes = z.array(z.enum(SCOPES));

/** A client, by its id. */
export interface OAuthClient {
  id: string;
  /** `registered` here (RFC 7591), or `document`: its id is the URL of a document about it. */
  kind: "registered" | "document";
  /** The name that the client states. Nobody has checked it. */
  name: string;
  redirect_uris: readonly string[];
  /** True if it uses refresh tokens. Some clients do, but never ask for `offline_access`. */
  refreshes: boolean;
}

/** How long a registration is kept that has never led to a token. */
export const UNUSED_CLIENT_LIFETIME_MS = 7 * DAY_MS;
/** How long a registration is kept after its last use: longer than its tokens. */
export const CLIENT_LIFETIME_MS = 180 * DAY_MS;

const UNUSED = inDays(UNUSED_CLIENT_LIFETIME_MS);
const USED = inDays(CLIENT_LIFETIME_MS);

export const clients = defineTable({
  prefix: "oauth_clients",
  value: z.strictObject({
    name: z.string(),
    redirect_uris: z.array(z.string()),
    refreshes: z.boolean(),
    created_at: time,
    /** When it last received or refreshed tokens. Null until then. */
    last_used: time.nullable(),
    ...EXPIRING,
  }),
  key: ["id"],
  owner: "nobody",
  lifetime: expires(`${UNUSED} unused, ${USED} after its last use`),
  per: "app that registers",
  privacy: {
    section: "agents",
    label: "Apps",
    text: "The name of an app that registers with us and the addresses to which it returns you, " +
      `for ${UNUSED}, or for ${USED} after it last used a connection. This says ` +
      "nothing about you.",
  },
});

/** A request at `/authorize` that was valid. It waits for the person's decision. */
const authorizationRequest = z.strictObject({
  organisation,
  issuer: z.string(),
  client_id: z.string(),
  client_name: z.string(),
  client_kind: z.enum(["registered", "document"]),
  /** The URI as the client sent it, with the port of a loopback address. */
  redirect_uri: z.string(),
  /** The S256 challenge. */
  challenge: z.string(),
  scopes,
  /** The URL that the token will be for: the MCP endpoint, or the push registration. */
  resource: z.string(),
  state: z.string().nullable(),
  /** SHA-256 of the cookie that `/authorize` set. */
  browser: z.string(),
});

export type AuthorizationRequest = z.infer<typeof authorizationRequest>;

export const REQUEST_LIFETIME_MS = 30 * MINUTE_MS;
const HANDOFF_LIFETIME_MS = MINUTE_MS;

const DECISION = {
  section: "agents",
  label: "Your decision",
  text: "While you decide whether to connect an app: what it asks for, with fingerprints " +
    "(SHA-256) of the request and of a cookie of your browser, for " +
    `${inMinutes(REQUEST_LIFETIME_MS)}. Your decision, ` +
    `with the record that you chose, for ${inMinutes(HANDOFF_LIFETIME_MS)}.`,
} as const;

export const requestRows = defineTable({
  prefix: "oauth_requests",
  value: authorizationRequest.extend(TOKEN),
  key: ["token"],
  owner: "nobody",
  lifetime: expires(inMinutes(REQUEST_LIFETIME_MS)),
  per: "request of an app",
  privacy: DECISION,
});

export const authorizationRequests = createSingleUseTokens<AuthorizationRequest>({
  prefix: requestRows.prefix,
  lifetimeMs: REQUEST_LIFETIME_MS,
});

/** A decision that the browser carries from the trust surface back to the MCP host. */
const handoff = z.strictObject({
  /** SHA-256 of the request's token. */
  request: z.string(),
  /** The record of the holder who approved; null for "Continue without a record". */
  outcome: z.discriminatedUnion("approved", [
    z.strictObject({ approved: z.literal(true), record: z.string().nullable() }),
    z.strictObject({ approved: z.literal(false) }),
  ]),
});

export type Handoff = z.infer<typeof handoff>;

export const handoffRows = defineTable({
  prefix: "oauth_handoffs",
  value: handoff.extend(TOKEN),
  key: ["token"],
  owner: "nobody",
  lifetime: expires(inMinutes(HANDOFF_LIFETIME_MS)),
  per: "decision",
  privacy: DECISION,
});

export const handoffs = createSingleUseTokens<Handoff>({
  prefix: handoffRows.prefix,
  lifetimeMs: HANDOFF_LIFETIME_MS,
});

/** The options that the tables of connections share. */
const CONNECTION = {
  owner: "record",
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

/** A person's permission for a client: everything that came from one consent. */
const grant = z.strictObject({
  id: z.string(),
  organisation,
  /** The hash of the holder's record; null for a token without a record. */
  record: z.string().nullable(),
  client_id: z.string(),
  client_name: z.string(),
  /** Where the client was redirected to: a host, or a private-use scheme. */
  redirect_host: z.string(),
  resource: z.string(),
  /** The base of the authorization server that issued it. Earlier versions did not store it. */
  server: z.string().optional(),
  scopes,
  created_at: time,
  ...EXPIRING,
});

export type Grant = z.infer<typeof grant>;

/** The connections of apps that people have allowed. */
export const grants = defineTable({
  ...CONNECTION,
  prefix: "oauth_grants",
  value: grant,
  key: ["id"],
  indexes: { oauth_grants_by_record: ["record"] },
  per: "connection",
});

/** When grants were last used. It is not in their rows, which every commit for an app checks. */
export const grantUses = defineTable({
  ...CONNECTION,
  prefix: "oauth_grant_uses",
  value: z.strictObject({ grant: z.string(), used_at: time, ...EXPIRING }),
  key: ["grant"],
  per: "connection that was used",
});

/** A code that the client exchanges for tokens. */
const authorizationCode = z.strictObject({
  grant: z.string(),
  client_id: z.string(),
  redirect_uri: z.string(),
  challenge: z.string(),
  resource: z.string(),
  /** The base of the authorization server, see {@link Grant}. */
  server: z.string().optional(),
});

const CODE_LIFETIME_MS = 60 * SECOND_MS;
/** How long a used code is stored, so that a second use revokes what the first one got. */
const CODE_REMEMBERED_MS = 10 * MINUTE_MS;

export const codeRows = defineTable({
  ...CONNECTION,
  prefix: "oauth_codes",
  value: authorizationCode.extend(TOKEN),
  key: ["token"],
  per: "code of a connection",
});

/** The authorization codes (RFC 6749, section 4.1.2), each of which works once and for a minute. */
export const codes = createSingleUseTokens<z.infer<typeof authorizationCode>>({
  prefix: codeRows.prefix,
  lifetimeMs: CODE_LIFETIME_MS,
  rememberedMs: CODE_REMEMBERED_MS,
});

/** A token. It is valid while its grant exists. */
const storedToken = z.strictObject({
  kind: z.enum(["access", "refresh"]),
  grant: z.string(),
  /** The scopes that it allows: those of the grant, or fewer. */
  scopes,
  /** When a refresh token was exchanged for its successor. */
  rotated_at: time.optional(),
  ...EXPIRING,
});

export type StoredToken = z.infer<typeof storedToken>;

export const BY_GRANT = "oauth_tokens_by_grant";

/** The tokens, by their SHA-256. */
export const storedTokens = defineTable({
  ...CONNECTION,
  prefix: "oauth_tokens",
  value: storedToken,
  key: ["hash"],
  indexes: { [BY_GRANT]: ["grant"] },
  per: "token of a connection",
});
