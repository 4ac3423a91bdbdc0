/** HTTP requests to a bank's JSON API: token, one retry, timeouts and errors; shared by all adapters. */
import { sleep } from "../../../base/sleep.ts";
import type { z } from "zod";
import { readChunks } from "../../../platform/http/body.ts";
import { SECOND_MS } from "../../../base/time.ts";
import { AUTH_FAILED, type BankError, type BankErrorCode } from "../provider.ts";

export interface RequestOptions {
  /** The spec's `{bank_api_base}`. */
  baseUrl: string;
  /** Sent in the `Authorization` header only. */
  token: string;
  fetch: typeof fetch;
  /** Waits before the retry, until the time is up or the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

type Query = Record<string, string | number | undefined>;

const STATUS_ERRORS: Record<number, BankError | undefined> = {
  401: AUTH_FAILED,
  404: { error: "not_found" },
  429: { error: "rate_limited" },
};
/** The largest response in bytes: enough for a thousand transactions with every field set. */
const BODY_LIMIT = 8 * 1024 * 1024;
const RETRY_PAUSE_MS = 250;
/** The longest `Retry-After` that is obeyed. A longer one fails at once, because someone is waiting. */
const MAX_RETRY_PAUSE_MS = 2 * SECOND_MS;

/**
 * Creates the requests to a bank that returns JSON for a bearer token. They do not follow redirects,
 * which would send the token to another address.
 */
export function createRequests({ baseUrl, token, fetch, pause = sleep }: RequestOptions) {
  const request = (path: readonly string[], query: Query, signal: AbortSignal) =>
    fetch(`${baseUrl.replace(/\/+$/, "")}/${path.map(encode).join("/")}${search(query)}`, {
      headers: { accept: "application/json", authorization: `Bearer ${token}` },
      redirect: "manual",
      signal,
    });

  async function attempt(
    path: readonly string[],
    query: Query,
    signal: AbortSignal,
  ): Promise<Attempt> {
    try {
      const response = await request(path, query, signal);
      if (response.ok) return { text: await textOf(response) };
      await response.body?.cancel().catch(() => {});
      return failedAttempt(response);
    } catch {
      return { failure: { error: "network_error" }, pauseMs: RETRY_PAUSE_MS };
    }
  }

  return {
    /**
     * Reads a resource and parses it with a schema. Retries once after network failures, 429 and
     * 5xx, never after 401 or a timeout.
     *
     * @param signal covers the retry and the body; when it aborts, the result is `network_error`
     */
    async get<Schema extends z.ZodType<object>>(
      schema: Schema,
      path: readonly string[],
      query: Query,
      signal: AbortSignal,
    ): Promise<z.output<Schema> | BankError> {
      // encodeURIComponent keeps dots, and "." and ".." in a URL resolve to other resources.
      if (path.some((segment) => /^\.{0,2}$/.test(segment))) return { error: "not_found" };
      let result = await attempt(path, query, signal);
      if (result.pauseMs !== undefined && !signal.aborted) {
        await pause(result.pauseMs, signal);
        if (!signal.aborted) result = await attempt(path, query, signal);
      }
      if (result.failure !== undefined) return result.failure;
      const parsed = schema.safeParse(parseJson(result.text));
      return parsed.success ? parsed.data : { error: "invalid_response" };
    },

    /**
     * Requests a resource once, without reading the response's body.
     *
     * @returns null if the bank accepts the token
     */
    async check(path: readonly string[], signal: AbortSignal): Promise<BankErrorCode | null> {
      try {
        const { ok, status, body } = await request(path, {}, signal);
        await body?.cancel();
        if (ok) return null;
        if (status === 401 || status === 403) return "auth_failed";
        return status === 429 ? "rate_limited" : "upstream_error";
      } catch {
        return "network_error";
      }
    },
  };
}

/** Reads a body. One that says its length is read at once, because its chunks take twice the time. */
function textOf(response: Response): Promise<string | undefined> {
  const { headers, body } = response;
  // The length of an encoded body is that before it is decoded.
  const length = headers.has("content-encoding") ? null : headers.get("content-length");
  return length !== null && Number(length) <= BODY_LIMIT
    ? response.text()
    : readChunks(body, BODY_LIMIT);
}

interface Attempt {
  /** Undefined if the body is too long. */
  text?: string;
  failure?: BankError;
  /** Set if a retry may succeed. */
  pauseMs?: number;
}

function failedAttempt({ status, headers }: Response): Attempt {
  const failure = STATUS_ERRORS[status] ?? { error: "upstream_error", status };
  if (status !== 429 && status < 500) return { failure };
  const retryAfterMs = Number(headers.get("retry-after") ?? 0) * SECOND_MS || 0;
  return retryAfterMs > MAX_RETRY_PAUSE_MS
    ? { failure }
    : { failure, pauseMs: Math.max(retryAfterMs, RETRY_PAUSE_MS) };
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** `encodeURIComponent` alone throws on a lone surrogate. */
const encode = (segment: string) => encodeURIComponent(segment.toWellFormed());

function search(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encode(String(value))}`]
  );
  return given.length === 0 ? "" : `?${given.join("&")}`;
}
