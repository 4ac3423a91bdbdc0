import { readChunks } from "../../http/body.ts";
import { SECOND_MS } from "../../time.ts";
import type { PushOutcome } from "../provider.ts";

export interface PushDeps {
  fetch: typeof fetch;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** The certificate of the stand-in, which no authority has signed. */
  certificate?: string;
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

/** Connections to push services. */
export interface PushClient {
  /**
   * Posts to a push service. An idle connection can break unnoticed, so a request without a
   * response is repeated once on a new connection. The services detect the duplicate by its id, or
   * the collapse key hides it.
   *
   * @returns undefined if neither request got a response
   */
  post(
    url: string,
    init: { headers: Record<string, string>; body: BodyInit },
  ): Promise<PushReply | undefined>;
  close(): void;
}

/** Creates a client. Connections are opened when they are first needed. */
export function createPushClient(
  { fetch, certificate, timeoutSignal = AbortSignal.timeout }: PushDeps,
): PushClient {
  const create = () => Deno.createHttpClient(certificate ? { caCerts: [certificate] } : {});
  let shared: Deno.HttpClient | undefined;

  async function attempt(
    client: Deno.HttpClient,
    url: string,
    init: RequestInit,
  ): Promise<PushReply> {
    const signal = timeoutSignal(TIMEOUT_MS);
    // A redirect is a failure, because the credentials must not be sent to another URL.
    const request = { ...init, method: "POST", redirect: "manual" as const, signal, client };
    const { status, headers, body } = await fetch(url, request);
    return { status, headers, body: await readJson(body) };
  }

  return {
    async post(url, init) {
      try {
        return await attempt(shared ??= create(), url, init);
      } catch {
        using fresh = create();
        return await attempt(fresh, url, init).catch(() => undefined);
      }
    },
    close() {
      shared?.close();
      shared = undefined;
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
