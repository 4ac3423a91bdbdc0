import { setTimeout } from "node:timers/promises";
import type { z } from "zod";
import { readChunks } from "../http/body.ts";
import { type BankError, errorOfStatus } from "./errors.ts";

export interface BankHttpOptions {
  /** The spec's `{bank_api_base}`, without `/api/v1`. */
  baseUrl: string;
  /** Goes into the `Authorization` header and nowhere else. */
  token: string;
  fetch: typeof fetch;
  /** Waits so many milliseconds before the second try, or until the signal. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Reads one resource and lets it through a schema.
 *
 * @param segments of the path below `/api/v1`, as they are: they are encoded here
 * @param signal ends the reading, body and second try included; that is a `network_error`
 */
export type Get = <Schema extends z.ZodType<object>>(
  schema: Schema,
  segments: string[],
  query: Record<string, string | number | undefined>,
  signal: AbortSignal,
) => Promise<z.output<Schema> | BankError>;

/** A thousand transactions with everything in them take less. */
const BODY_LIMIT = 8 * 1024 * 1024;
const FIRST_PAUSE_MS = 250;
/** A person waits for the page: who is asked to wait longer gives up at once. */
const LONGEST_PAUSE_MS = 2_000;

/**
 * The way to the provider: GET with a bearer token under `/api/v1`. Tried once more after a
 * failure of the network, 429 and 5xx, never after 401 or a timeout. A redirect is a failure, for
 * the token is meant for one address. Never throws.
 */
export function createBankHttp({ baseUrl, token, fetch, pause = sleep }: BankHttpOptions): Get {
  const root = `${baseUrl.replace(/\/+$/, "")}/api/v1`;

  async function attempt(url: string, signal: AbortSignal): Promise<Outcome> {
    try {
      const response = await fetch(url, {
        headers: { accept: "application/json", authorization: `Bearer ${token}` },
        redirect: "manual",
        signal,
      });
      if (response.ok) return { text: await readChunks(response.body, BODY_LIMIT) };
      // The status says enough.
      await response.body?.cancel().catch(() => {});
      return failureOf(response);
    } catch {
      return { failure: { error: "network_error" }, pauseMs: FIRST_PAUSE_MS };
    }
  }

  return async (schema, segments, query, signal) => {
    // Encoding leaves dots alone, and a URL takes "." and ".." for steps to other resources.
    if (segments.some((segment) => /^\.{0,2}$/.test(segment))) return { error: "not_found" };
    const url = `${root}/${segments.map(encode).join("/")}${search(query)}`;
    let outcome = await attempt(url, signal);
    if (outcome.pauseMs !== undefined && !signal.aborted) {
      await pause(outcome.pauseMs, signal);
      if (!signal.aborted) outcome = await attempt(url, signal);
    }
    if (outcome.failure !== undefined) return outcome.failure;
    const parsed = schema.safeParse(parseJson(outcome.text));
    return parsed.success ? parsed.data : { error: "invalid_response" };
  };
}

interface Outcome {
  /** Missing where it is too long. */
  text?: string;
  failure?: BankError;
  /** Missing: another try would come to the same. */
  pauseMs?: number;
}

function failureOf({ status, headers }: Response): Outcome {
  const failure = errorOfStatus(status);
  if (status !== 429 && status < 500) return { failure };
  const asked = Number(headers.get("retry-after") ?? 0) * 1000 || 0;
  return asked > LONGEST_PAUSE_MS
    ? { failure }
    : { failure, pauseMs: Math.max(asked, FIRST_PAUSE_MS) };
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** Never throws, as `encodeURIComponent` alone does on half a surrogate pair. */
const encode = (segment: string) => encodeURIComponent(segment.toWellFormed());

function search(query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]]
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => {});
