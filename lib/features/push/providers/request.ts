/** The HTTP client of the push providers: connection pools, timeouts, and failures that all services share. */
import { readChunks } from "../../../platform/http/body.ts";
import { SECOND_MS } from "../../../base/time.ts";
import type { PushOutcome } from "../provider.ts";

export interface PushDeps {
  fetch: typeof fetch;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Returns a signal that aborts after a time. Default: `AbortSignal.timeout`. */
  timeoutSignal?: (ms: number) => AbortSignal;
}

/** A push service's response. */
export interface PushReply {
  status: number;
  headers: Headers;
  /** The JSON body; undefined if it is not JSON or too long. */
  body: unknown;
}

export type PushFailure = Extract<PushOutcome, { ok: false }>;

const TIMEOUT_MS = 10 * SECOND_MS;
const BODY_LIMIT = 16 * 1024;

/** Connections, and the number of messages that use them. */
interface Pool {
  client: Deno.HttpClient;
  users: number;
}

export type PushClient = ReturnType<typeof createPushClient>;

/** Creates the connections to push services, which are opened when they are first needed. */
export function createPushClient(
  { fetch, timeoutSignal = AbortSignal.timeout }: PushDeps,
) {
  const create = (): Pool => ({ client: Deno.createHttpClient({}), users: 0 });
  let shared: Pool | undefined;

  /** Closes a pool that is no longer shared, or leaves this to the last message that uses it. */
  const closeUnused = (pool: Pool) => {
    if (pool.users === 0 && pool !== shared) pool.client.close();
  };

  async function withPool<Result>(
    pool: Pool,
    use: (pool: Pool) => Promise<Result>,
  ): Promise<Result> {
    pool.users++;
    try {
      return await use(pool);
    } finally {
      pool.users--;
      closeUnused(pool);
    }
  }

  async function attempt({ client }: Pool, url: string, init: RequestInit): Promise<PushReply> {
    const signal = timeoutSignal(TIMEOUT_MS);
    // A redirect is a failure, because the credentials must not be sent to another URL.
    const request = { ...init, method: "POST", redirect: "manual" as const, signal, client };
    const { status, headers, body } = await fetch(url, request);
    return { status, headers, body: await readJson(body) };
  }

  return {
    /**
     * Posts to a push service. An idle connection can break unnoticed, so a request without a
     * response is repeated once on a new connection. The services detect the duplicate by its id, or
     * the collapse key hides it.
     *
     * @returns undefined if neither request got a response
     */
    post: (
      url: string,
      init: { headers: Record<string, string>; body: BodyInit },
    ): Promise<PushReply | undefined> =>
      withPool(shared ??= create(), async (used) => {
        const first = await attempt(used, url, init).catch(() => undefined);
        if (first !== undefined) return first;
        return await withPool(create(), async (fresh) => {
          const second = await attempt(fresh, url, init).catch(() => undefined);
          // The client would reuse the broken connection for every later message.
          if (second !== undefined && shared === used) shared = fresh;
          return second;
        });
      }),
    /** Closes idle connections, and the others once their messages are sent. */
    close() {
      const used = shared;
      shared = undefined;
      if (used !== undefined) closeUnused(used);
    },
  };
}

async function readJson(body: ReadableStream<Uint8Array<ArrayBuffer>> | null): Promise<unknown> {
  try {
    return JSON.parse(await readChunks(body, BODY_LIMIT) ?? "");
  } catch {
    return undefined;
  }
}

/**
 * Returns the outcome of a failure that is the same for all services: 429, 5xx and no response are
 * temporary. Anything else is our own error, which a retry does not fix.
 *
 * @param error the code for our own errors
 * @param waitMs how long to wait after 429 without `Retry-After`
 */
export function failureOf(
  reply: PushReply | undefined,
  error: string,
  waitMs?: number,
): PushFailure {
  if (reply === undefined) return { ok: false, error: "unreachable", action: "retry" };
  const { status, headers } = reply;
  if (status !== 429 && status < 500) return { ok: false, error, action: "give_up" };
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const limited = status === 429;
  const afterMs = seconds > 0 ? Math.ceil(seconds) * SECOND_MS : limited ? waitMs : undefined;
  const reason = limited ? "rate_limited" : "unavailable";
  return { ok: false, error: reason, action: "retry", ...afterMs !== undefined && { afterMs } };
}
