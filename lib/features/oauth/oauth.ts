/** The authorization servers as one service: registration, authorization requests, decisions and their return. */
import type { OAuthConfig } from "./variables.ts";
import type { Platform } from "../../platform/feature.ts";
import { type BrowserCookie, browserCookie } from "../../platform/http/browser_cookie.ts";
import { addressKey } from "../../platform/http/client_address.ts";
import { internet, type Network } from "../../platform/http/pinned_fetch.ts";
import { createRateLimiter } from "../../platform/http/rate_limit.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { takeSlot } from "../../platform/kv/mod.ts";
import type { Notices, Reader } from "../records/mod.ts";
import type { RateLimited } from "../../base/result.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { createAgents } from "./agents.ts";
import { checkRequest } from "./authorize.ts";
import { createClientDocuments } from "./client_documents.ts";
import { registerClient, registeredClient, touchClient } from "./clients.ts";
import { type Approver, approveRequest } from "./consent.ts";
import { decideRequest, readRequest } from "./decisions.ts";
import type { GrantDeps } from "./grants.ts";
import { type Issuer, issuerOf } from "./issuer.ts";
import { pushResourceOf } from "./push_resource.ts";
import { finishRequest } from "./return_leg.ts";
import { authorizationRequests, type Handoff, REQUEST_LIFETIME_MS } from "./rows.ts";
import { registrations } from "./tables.ts";

interface OAuthOptions extends GrantDeps, Pick<Platform, "clock" | "mailer" | "surfaces"> {
  /** Returns the monotonic time in milliseconds, for limits in memory. */
  monotonic?: () => number;
  config: OAuthConfig;
  /** Authorization requests per minute from one client address; 0 for no limit. */
  requestLimit: number;
  /** The access to other servers. Default: the internet. */
  network?: Network;
  notices: Notices;
}

/** The authorization servers of the MCP hosts. */
export type OAuth = ReturnType<typeof createOAuth>;

const MAX_CLIENTS = 10_000;

/** Creates the authorization servers: clients, grants, tokens, and the consent of holders. */
export function createOAuth(options: OAuthOptions) {
  const { kv, clock, surfaces, config, requestLimit, network = internet } = options;
  const requests = createRateLimiter({
    limit: requestLimit,
    windowMs: MINUTE_MS,
    monotonic: options.monotonic,
    maxClients: MAX_CLIENTS,
  });

  /** Counts a registration in the store, because it leaves a row there for days. */
  async function countRegistration(clientAddress: string): Promise<{ ok: true } | RateLimited> {
    const limit = config.registrationLimit;
    if (limit === 0) return { ok: true };
    const window = registrations.of([sha256(addressKey(clientAddress))], limit);
    return await takeSlot(kv, window, clock);
  }

  const documents = createClientDocuments({ clock, network });

  const registered = (id: string) => registeredClient(kv, id, clock());

  return {
    issuerOf: (surface: Surface) => issuerOf(surface, surfaces, config.mode),
    pushResourceOf: (surface: Surface) => pushResourceOf(surface, surfaces, config.mode),
    async register(input: unknown, clientAddress: string) {
      const allowed = await countRegistration(clientAddress);
      return allowed.ok ? await registerClient(kv, input, clock()) : allowed;
    },
    /** Returns whether a client is registered, apart from those whose id is the URL of a document. */
    isRegistered: async (id: string) => await registered(id) !== null,
    touchClient: (id: string) => touchClient(kv, id, clock()),
    /**
     * Checks and stores an authorization request.
     *
     * @returns the URL of the consent page and the cookie that binds the request to the browser; or the
     * client's URL with an error; or an error to show
     */
    async authorize(issuer: Issuer, req: Request, clientAddress: string) {
      const allowed = requests.take(addressKey(clientAddress));
      if (!allowed.ok) return allowed;
      const requester = addressKey(clientAddress);
      const checked = await checkRequest(issuer, new URL(req.url).search, {
        find: async (id) => await registered(id) ?? await documents.find(id, requester),
        problemOf: documents.problemOf,
      });
      if (!checked.ok) return checked;
      const { id, cookie } = cookieOf(issuer).ensure(req);
      const commit = kv.atomic();
      const data = { ...checked.request, browser: sha256(id) };
      const { token } = authorizationRequests.create(commit, data, clock());
      await commit.commit();
      return { ok: true as const, location: `${issuer.consentUrl}?request=${token}`, cookie };
    },
    readRequest: (token: string) => readRequest(kv, token, clock()),
    /** Decides a request without a check of who decides: denies it, or approves it without a record. */
    decide: (token: string, outcome: Handoff["outcome"]) =>
      decideRequest(kv, token, outcome, clock()),
    approve: (token: string, approver: Approver) => approveRequest(kv, token, approver, clock()),
    finish(issuer: Issuer, handoff: string, req: Request, reader: Reader) {
      const browser = cookieOf(issuer).idOf(req);
      return finishRequest(options, issuer, handoff, { browser, reader }, clock());
    },
    agents: createAgents(options),
  };
}

/** A browser keeps one id for all its tabs. No other host of the domain can set it over https. */
const cookieOf = ({ base }: Issuer): BrowserCookie =>
  browserCookie(
    base.startsWith("https:") ? "__Host-oauth_request" : "oauth_request",
    REQUEST_LIFETIME_MS,
  );
