import { setTimeout } from "node:timers/promises";
import type { z } from "zod";
import { readChunks } from "../../../platform/http/body.ts";
import { sha256 } from "../../../platform/kv/hash.ts";
import { SECOND_MS } from "../../../base/time.ts";
import {
  type Account,
  type BankError,
  type BankErrorCode,
  type BankProvider,
  isBankError,
  OPERATION_TIMEOUT_MS,
} from "../provider.ts";
import {
  maskNumbers,
  mercuryAccount,
  mercuryAccounts,
  mercuryOrganization,
  mercuryTransactions,
  type ReadAccount,
} from "./mercury_records.ts";

export interface MercuryOptions {
  /** The spec's `{bank_api_base}`, without `/api/v1`. */
  baseUrl: string;
  /** Sent in the `Authorization` header only. */
  token: string;
  fetch: typeof fetch;
  /** Timeout for a whole operation, including its retry and further pages. */
  timeoutMs?: number;
  /** Waits before the retry, until the time is up or the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Logs one line for each account with a missing or unexpected field, without account numbers. */
  log?: (entry: Record<string, unknown>) => void;
}

const STATUS_ERRORS: Record<number, BankError | undefined> = {
  401: { error: "auth_failed", message: "Bank API token invalid or expired" },
  404: { error: "not_found" },
  429: { error: "rate_limited" },
};
/** Far more than any organisation needs; guards against pagination that never ends. */
const MAX_PAGES = 100;
/** Most deployments accept a limit of 1,000 transactions, and all of them accept 500. */
const LARGEST_PAGE = 1_000;
const ACCEPTED_PAGE = 500;
/** Earlier than any account. Without a start date, Mercury returns only the last 30 days. */
const EARLIEST = "2000-01-01";
/** Enough for a thousand transactions with every field set. */
const BODY_LIMIT = 8 * 1024 * 1024;
const RETRY_PAUSE_MS = 250;
/** Someone is waiting for the page, so a longer `Retry-After` fails at once. */
const MAX_RETRY_PAUSE_MS = 2 * SECOND_MS;

/**
 * Creates the adapter of Mercury's API (spec 1, 4.1, 7). Its results contain neither full account
 * numbers nor routing numbers.
 *
 * @example
 * ```ts
 * const bank = createMercury({ baseUrl: "https://bank.example", token, fetch });
 * const accounts = await bank.getAccounts();
 * if (!isBankError(accounts)) console.log(sumAmounts(accounts.map(({ balance }) => balance ?? 0)));
 * ```
 */
export function createMercury(options: MercuryOptions): BankProvider {
  const get = createGet(options);
  const deadline = () => AbortSignal.timeout(options.timeoutMs ?? OPERATION_TIMEOUT_MS);
  let largestPage = LARGEST_PAGE;

  function accept({ account, unreadable }: ReadAccount): Account {
    if (unreadable.length > 0) {
      const id = maskNumbers(account.id);
      options.log?.({
        level: "warn",
        event: "bank_account_unreadable",
        account: id,
        fields: unreadable,
      });
    }
    return account;
  }

  return {
    fingerprint: sha256(options.token).slice(0, 16),

    async getAccounts() {
      const signal = deadline();
      const accounts = new Map<string | symbol, Account>();
      let cursor: string | undefined;
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const query = { start_after: cursor };
        const result = await get(mercuryAccounts, ["accounts"], query, signal);
        if (isBankError(result)) return result;
        for (const sent of result.accounts) {
          const account = accept(sent);
          if (!sent.isClosed) accounts.set(account.id || Symbol("no id"), account);
        }
        const next = result.page?.nextPage;
        if (!next) return [...accounts.values()];
        if (next === cursor) break;
        cursor = next;
      }
      // A partial list would produce a wrong total balance.
      return { error: "invalid_response" };
    },

    async getAccount(id) {
      const result = await get(mercuryAccount, ["account", id], {}, deadline());
      if (isBankError(result)) return result;
      // Without an id, it could be any account.
      if (result.account.id === "") return { error: "invalid_response" };
      const account = accept(result);
      return result.isClosed ? { error: "not_found" } : account;
    },

    async getTransactions(id, { limit, offset = 0, start = EARLIEST, end } = {}, signal) {
      const path = ["account", id, "transactions"];
      const until = signal === undefined ? deadline() : AbortSignal.any([signal, deadline()]);
      const read = (limit: number) =>
        get(mercuryTransactions, path, { limit, offset, start, end }, until);
      let size = limit ?? largestPage;
      let result = await read(size);
      if (limit === undefined && size > ACCEPTED_PAGE && isRejected(result)) {
        size = ACCEPTED_PAGE;
        result = await read(size);
        if (!isBankError(result)) largestPage = size;
      }
      if (isBankError(result)) return result;
      const { total, transactions } = result;
      // Some deployments count only the page. Then a full page may not be the last.
      const isFull = transactions.length >= size;
      const isUnknown = total == null || isFull && total <= offset + transactions.length;
      return { total: isUnknown ? null : total, transactions };
    },

    getOrganization: () => get(mercuryOrganization, ["organization"], {}, deadline()),

    check: (signal) => checkToken(options, signal),
  };
}

/** Returns whether Mercury rejects the request itself, for example because of its limit. */
const isRejected = (result: object) => "status" in result && result.status === 400;

interface Attempt {
  /** Undefined if the body is too long. */
  text?: string;
  failure?: BankError;
  /** Set if a retry may succeed. */
  pauseMs?: number;
}

/**
 * Returns a function that reads one resource under `/api/v1` and parses it with a schema. It
 * retries once after network failures, 429 and 5xx, never after 401 or a timeout. It does not
 * follow redirects, which would send the token to another address. The signal covers the retry and
 * the body; when it aborts, the result is `network_error`.
 */
function createGet({ baseUrl, token, fetch, pause = sleep }: MercuryOptions) {
  const root = rootOf(baseUrl);

  async function attempt(url: string, signal: AbortSignal): Promise<Attempt> {
    try {
      const response = await fetch(url, {
        headers: headersOf(token),
        redirect: "manual",
        signal,
      });
      if (response.ok) return { text: await readChunks(response.body, BODY_LIMIT) };
      await response.body?.cancel().catch(() => {});
      return failedAttempt(response);
    } catch {
      return { failure: { error: "network_error" }, pauseMs: RETRY_PAUSE_MS };
    }
  }

  return async <Schema extends z.ZodType<object>>(
    schema: Schema,
    segments: string[],
    query: Record<string, string | number | undefined>,
    signal: AbortSignal,
  ): Promise<z.output<Schema> | BankError> => {
    // encodeURIComponent keeps dots, and "." and ".." in a URL resolve to other resources.
    if (segments.some((segment) => /^\.{0,2}$/.test(segment))) return { error: "not_found" };
    const url = `${root}/${segments.map(encode).join("/")}${search(query)}`;
    let result = await attempt(url, signal);
    if (result.pauseMs !== undefined && !signal.aborted) {
      await pause(result.pauseMs, signal);
      if (!signal.aborted) result = await attempt(url, signal);
    }
    if (result.failure !== undefined) return result.failure;
    const parsed = schema.safeParse(parseJson(result.text));
    return parsed.success ? parsed.data : { error: "invalid_response" };
  };
}

const rootOf = (baseUrl: string) => `${baseUrl.replace(/\/+$/, "")}/api/v1`;

const headersOf = (token: string) => ({
  accept: "application/json",
  authorization: `Bearer ${token}`,
});

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

function search(query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]]
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => {});

/** Requests the smallest resource. The response's body is not read. */
async function checkToken(
  { baseUrl, token, fetch }: MercuryOptions,
  signal: AbortSignal,
): Promise<BankErrorCode | null> {
  try {
    const response = await fetch(`${rootOf(baseUrl)}/organization`, {
      headers: headersOf(token),
      redirect: "manual",
      signal,
    });
    await response.body?.cancel();
    if (response.ok) return null;
    if (response.status === 401 || response.status === 403) return "auth_failed";
    return response.status === 429 ? "rate_limited" : "upstream_error";
  } catch {
    return "network_error";
  }
}
