/** Checks the API key of each request: validity, scope, state of the issuer and rate limits. */
import { addressKey } from "../../../platform/http/client_address.ts";
import { readBearer } from "../../../platform/http/bearer.ts";
import { createBoundedCache } from "../../../platform/http/bounded_cache.ts";
import { createRateLimiter } from "../../../platform/http/rate_limit.ts";
import { networkOf } from "../../../platform/http/device.ts";
import { createLastUses } from "../../../platform/http/last_use.ts";
import { RequestError, unwrap } from "../../../platform/http/errors.ts";
import type { Demand } from "../../../platform/kv/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../base/time.ts";
import type { ApiCaller } from "../call.ts";
import { type ApiKeyRow, apiKeys, hashOfKey, type KeyScope, works } from "../key_rows.ts";
import { hasKey, isKey } from "../key_text.ts";
import type { IssuerRow } from "../rows.ts";
import { keyUses } from "../uses.ts";

type Headers = readonly (readonly [name: string, value: string])[];

/** The headers belong to the response, even if it is an error. */
type Authenticated =
  & { headers: Headers }
  & ({ ok: true; caller: ApiCaller; demand: Demand } | Failure);

interface KeyUse {
  /** The scope that the request needs; null if any key will do. */
  scope: KeyScope | null;
  /** The IP address of the client. */
  address: string;
}

interface AuthenticateOptions {
  kv: Deno.Kv;
  clock: () => number;
  monotonic?: () => number;
  log: (entry: Record<string, unknown>) => void;
  /** Reads an issuer as an entry that a commit can check. */
  readIssuer: (id: string) => Promise<Deno.KvEntryMaybe<IssuerRow>>;
  /** Remembers that a key was used from a network. */
  noteNetwork: (key: ApiKeyRow, network: string) => Promise<void>;
  /** Requests per minute of each key; 0 for no limit. */
  rateLimit: number;
}

/** Failed requests per minute of an address, after which keys that are not known here are not looked up. */
export const FAILURES_PER_MINUTE = 60;
const MAX_KEYS = 10_000;
const MAX_ADDRESSES = 10_000;
/** The length of the hashes of about 10,000 keys. */
const KNOWN_LIMIT = 700_000;
/** How often a use is stored. */
const USE_MS = MINUTE_MS;
/** How often a use from the same network is stored. */
const NETWORK_MS = DAY_MS;

const CHALLENGE = 'Bearer realm="api"';
const NO_KEY = "Send an API key as Authorization: Bearer <key>.";
const NO_SUCH_KEY = "The API key is mistyped, unknown, expired or revoked.";
const IN_URL =
  "A key in a URL is refused, because URLs are logged. Replace this key, and send the new " +
  "one as Authorization: Bearer <key>.";

export type KeyAuthentication = ReturnType<typeof createKeyAuthentication>;

/** Creates what checks the API key of each request. It is read each time, so a revocation holds at once. */
export function createKeyAuthentication(options: AuthenticateOptions) {
  const { kv, clock, monotonic, log, readIssuer, rateLimit } = options;
  const limiter = (limit: number, maxClients: number) =>
    createRateLimiter({ limit, windowMs: MINUTE_MS, monotonic, maxClients });
  const requests = limiter(rateLimit, MAX_KEYS);
  const failures = limiter(FAILURES_PER_MINUTE, MAX_ADDRESSES);
  /** The keys that worked last time, so that an address that others share does not lock them out. */
  const known = createBoundedCache<boolean>({ limit: KNOWN_LIMIT, sizeOf: () => 1 });
  const onFailure = () => log({ level: "warn", event: "key_use_not_stored" });
  const uses = createLastUses({ everyMs: USE_MS, onFailure });
  const networkUses = createLastUses({ everyMs: NETWORK_MS, onFailure });

  const policy: Headers = rateLimit === 0
    ? []
    : [["RateLimit-Policy", `"default";q=${rateLimit};w=${MINUTE_MS / SECOND_MS}`]];

  /** Returns what is left to a key, in the words of draft-ietf-httpapi-ratelimit-headers-10. */
  function limits(hash: string): Headers {
    if (rateLimit === 0) return policy;
    const { calls, moreInMs } = requests.left(hash);
    const seconds = Math.ceil(moreInMs / SECOND_MS);
    return [...policy, ["RateLimit", `"default";r=${calls};t=${seconds}`]];
  }

  /** Counts a failure, after which the address has to wait, and names the way to authenticate. */
  function refuse(address: string, message: string, error?: "invalid_token"): Authenticated {
    const counted = failures.take(address);
    if (!counted.ok) return { ...counted, headers: policy };
    const challenge = challengeOf(error === undefined ? undefined : INVALID);
    const headers: Headers = [...policy, ["WWW-Authenticate", challenge]];
    return { ...fail("unauthenticated", { message }), headers };
  }

  /** Stores that a key is used, without delaying the response. */
  function noteUse(entry: Deno.KvEntry<ApiKeyRow>, address: string, now: number): void {
    const { hash } = entry.value;
    uses.note(hash, now, () => {
      const commit = kv.atomic().check(entry); // it may have ended
      keyUses.set(commit, { hash, used_at: new Date(now).toISOString() });
      return commit;
    }).catch(() => {}); // it has been logged
    const network = networkOf(address);
    networkUses.note(`${hash} ${network}`, now, () => options.noteNetwork(entry.value, network))
      .catch(() => {});
  }

  /** Reads what decides about a request with a key, and returns it as an authority that the request demands. */
  function demandOf(request: Request, scope: KeyScope | null, read: ReadKey): Demand {
    return {
      ask() {
        const { key, issuer } = read;
        if (!isWorking(key, clock())) throw refusal(NO_SUCH_KEY, INVALID);
        unwrap(problemOf(request, scope, key.value, issuer.value) ?? { ok: true });
        const { expires_at } = key.value;
        return {
          rows: [key, issuer].map(({ key, versionstamp }) => ({ key, versionstamp })),
          until: expires_at === null ? Infinity : Date.parse(expires_at),
        };
      },
      async read() {
        const [key, issuer] = await Promise.all([
          kv.get<ApiKeyRow>(read.key.key),
          readIssuer(read.issuerId),
        ]);
        Object.assign(read, { key, issuer });
      },
    };
  }

  return {
    /**
     * Checks the API key in the `Authorization` header of a request and counts the request. A request
     * whose URL has a key is refused, also with a valid header.
     *
     * Fails with `unauthenticated`, `rate_limited`, `issuer_ended`, `issuer_suspended` (if the request
     * may change something) or `insufficient_scope`.
     */
    async authenticate(request: Request, { scope, address }: KeyUse): Promise<Authenticated> {
      const client = addressKey(address);
      if (hasKey(request.url)) return refuse(client, IN_URL);
      const { token: text } = readBearer(request);
      if (text === null) return refuse(client, NO_KEY);
      if (!isKey(text)) return refuse(client, NO_SUCH_KEY, "invalid_token");
      const hash = hashOfKey(text);
      const isBlocked = failures.left(client).calls === 0;
      if (isBlocked && known.get(hash) !== true) return refuse(client, NO_SUCH_KEY);
      const entry = await apiKeys.get(kv, hash);
      const now = clock();
      const isValid = isWorking(entry, now);
      if (isValid || known.get(hash) !== undefined) known.set(hash, isValid);
      if (!isValid) return refuse(client, NO_SUCH_KEY, "invalid_token");
      // Counted before anything else is read, so that what is refused below is limited too.
      const counted = requests.take(hash);
      const headers = limits(hash);
      if (!counted.ok) return { ...counted, headers };
      const { id, last4, scopes, expires_at, mode, issuer: issuerId } = entry.value;
      const issuer = await readIssuer(issuerId);
      const problem = problemOf(request, scope, entry.value, issuer.value);
      if (problem?.error !== "issuer_ended") noteUse(entry, address, now);
      if (problem?.error === "insufficient_scope") return tooNarrow(scope!, headers);
      if (problem !== null) return { ...problem, headers };
      const caller = {
        issuer: issuer.value!,
        test: mode === "test",
        key: { id, last4, scopes, expires_at },
      };
      const demand = demandOf(request, scope, { key: entry, issuer, issuerId });
      return { ok: true, caller, demand, headers };
    },
    /** Resolves when every use has been stored. */
    async settled(): Promise<void> {
      await Promise.all([uses.settled(), networkUses.settled()]);
    },
  };
}

/** The rows that decide about a request, as they were read last. */
interface ReadKey {
  key: Deno.KvEntryMaybe<ApiKeyRow>;
  issuer: Deno.KvEntryMaybe<IssuerRow>;
  issuerId: string;
}

const isWorking = (
  entry: Deno.KvEntryMaybe<ApiKeyRow>,
  now: number,
): entry is Deno.KvEntry<ApiKeyRow> => entry.versionstamp !== null && works(entry.value, now);

/** Returns why a key that works may not be used for a request; null if it may. */
function problemOf(
  request: Request,
  scope: KeyScope | null,
  { scopes }: ApiKeyRow,
  issuer: IssuerRow | null,
): Failure | null {
  if (issuer === null || issuer.state === "ended") return ENDED;
  if (issuer.state === "suspended" && !onlyReads(request)) return SUSPENDED;
  if (scope === null || scopes.includes(scope)) return null;
  return fail("insufficient_scope", { message: `This needs a key with the scope ${scope}.` });
}

const challengeOf = (error?: string) => error === undefined ? CHALLENGE : `${CHALLENGE}, ${error}`;

const INVALID = 'error="invalid_token"';

/** Returns the error of a request whose key has ended since it began. */
const refusal = (message: string, error: string) =>
  new RequestError(401, message, { headers: { "www-authenticate": challengeOf(error) } });

const ENDED = fail("issuer_ended", {
  message: "The issuer has ended, so its keys no longer work. Its documents can still be checked.",
});
const SUSPENDED = fail("issuer_suspended", {
  message: "The issuer is suspended, so it can read but not change anything.",
});

function tooNarrow(scope: KeyScope, headers: Headers): Authenticated {
  const challenge = `${CHALLENGE}, error="insufficient_scope", scope="${scope}"`;
  const message = `This needs a key with the scope ${scope}.`;
  return {
    ...fail("insufficient_scope", { message }),
    headers: [...headers, ["WWW-Authenticate", challenge]],
  };
}

const onlyReads = ({ method }: Request): boolean => method === "GET" || method === "HEAD";
