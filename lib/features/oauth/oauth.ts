import type { OAuthConfig } from "./variables.ts";
import { type BrowserCookie, browserCookie } from "../../platform/http/browser_cookie.ts";
import { addressKey } from "../../platform/http/client_address.ts";
import { createRateLimiter } from "../../platform/http/rate_limit.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { takeSlot } from "../../platform/kv/mod.ts";
import type { Mailer } from "../../platform/mail/mod.ts";
import type { Notices, Reader } from "../records/mod.ts";
import type { RateLimited } from "../../base/result.ts";
import type { Surface, Surfaces } from "../../platform/surfaces/mod.ts";
import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { type Agents, createAgents } from "./agents.ts";
import { type Checked, checkRequest } from "./authorize.ts";
import { createClientDocuments } from "./client_documents.ts";
import { registerClient, registeredClient, touchClient } from "./clients.ts";
import { type Approver, approveRequest } from "./consent.ts";
import { decideRequest, readRequest } from "./decisions.ts";
import type { GrantDeps } from "./grants.ts";
import { type Issuer, issuerOf } from "./issuer.ts";
import { internet, type Network } from "./pinned_get.ts";
import { type PushResource, pushResourceOf } from "./push_resource.ts";
import { finishRequest } from "./return_leg.ts";
import { authorizationRequests, type Handoff, REQUEST_LIFETIME_MS } from "./rows.ts";

export interface OAuthOptions extends GrantDeps {
  clock: () => number;
  /** Returns the monotonic time in milliseconds, for limits in memory. */
  monotonic?: () => number;
  surfaces: Surfaces;
  config: OAuthConfig;
  /** Authorization requests per minute from one client address; 0 for no limit. */
  requestLimit: number;
  /** The access to other servers. Default: the internet. */
  network?: Network;
  notices: Notices;
  mailer: Mailer;
}

/** The authorization servers of the MCP hosts. */
export interface OAuth {
  /** Returns the authorization server of a surface with `/mcp`; null if nobody can sign in. */
  issuerOf(surface: Surface): Issuer | null;
  /** Returns where apps register phones on a surface; null if no server issues tokens for it. */
  pushResourceOf(surface: Surface): PushResource | null;
  register(
    input: unknown,
    clientAddress: string,
  ): Promise<Awaited<ReturnType<typeof registerClient>> | RateLimited>;
  /** Returns whether a client is registered, apart from those whose id is the URL of a document. */
  isRegistered(id: string): Promise<boolean>;
  /** Keeps a client's registration because it received or refreshed tokens. */
  touchClient(id: string): Promise<void>;
  /**
   * Checks and stores an authorization request.
   *
   * @returns the URL of the consent page and the cookie that binds the request to the browser; or the
   * client's URL with an error; or an error to show
   */
  authorize(
    issuer: Issuer,
    req: Request,
    clientAddress: string,
  ): Promise<
    { ok: true; location: string; cookie: string } | Exclude<Checked, { ok: true }> | RateLimited
  >;
  readRequest(token: string): ReturnType<typeof readRequest>;
  /** Decides a request without a check of who decides: denies it, or approves it without a record. */
  decide(token: string, outcome: Handoff["outcome"]): ReturnType<typeof decideRequest>;
  /** Approves a request for a holder's record, if it is what the page showed. */
  approve(token: string, approver: Approver): ReturnType<typeof approveRequest>;
  /** Ends a request with the decision that a handoff carries. */
  finish(
    issuer: Issuer,
    handoff: string,
    req: Request,
    reader: Reader,
  ): ReturnType<typeof finishRequest>;
  agents: Agents;
}

const MAX_CLIENTS = 10_000;

export function createOAuth(options: OAuthOptions): OAuth {
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
    const key = ["oauth_limits", sha256(addressKey(clientAddress))];
    return await takeSlot(kv, { key, limit, windowMs: HOUR_MS }, clock);
  }

  const documents = createClientDocuments({ clock, network });

  const registered = (id: string) => registeredClient(kv, id, clock());

  return {
    issuerOf: (surface) => issuerOf(surface, surfaces, config.mode),
    pushResourceOf: (surface) => pushResourceOf(surface, surfaces, config.mode),
    async register(input, clientAddress) {
      const allowed = await countRegistration(clientAddress);
      return allowed.ok ? await registerClient(kv, input, clock()) : allowed;
    },
    isRegistered: async (id) => await registered(id) !== null,
    touchClient: (id) => touchClient(kv, id, clock()),
    async authorize(issuer, req, clientAddress) {
      const allowed = requests.take(addressKey(clientAddress));
      if (!allowed.ok) return allowed;
      const requester = addressKey(clientAddress);
      const findClient = async (id: string) =>
        await registered(id) ?? await documents.find(id, requester);
      const checked = await checkRequest(issuer, new URL(req.url).search, findClient);
      if (!checked.ok) return checked;
      const { id, cookie } = cookieOf(issuer).ensure(req);
      const commit = kv.atomic();
      const data = { ...checked.request, browser: sha256(id) };
      const { token } = authorizationRequests.create(commit, data, clock());
      await commit.commit();
      return { ok: true, location: `${issuer.consentUrl}?request=${token}`, cookie };
    },
    readRequest: (token) => readRequest(kv, token, clock()),
    decide: (token, outcome) => decideRequest(kv, token, outcome, clock()),
    approve: (token, approver) => approveRequest(kv, token, approver, clock()),
    finish(issuer, handoff, req, reader) {
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
