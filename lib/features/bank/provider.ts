import { setTimeout } from "node:timers/promises";
import type { z } from "zod";
import { readChunks } from "../../platform/http/body.ts";
import { SECOND_MS } from "../../base/time.ts";
import {
  type Account,
  maskNumbers,
  type Organization,
  providerAccount,
  providerAccounts,
  providerOrganization,
  providerTransactions,
  type ReadAccount,
  type TransactionPage,
} from "./records.ts";

/**
 * An error that the client returns instead of data. The shapes are defined in spec 7;
 * `invalid_response` means that the body could not be parsed, `upstream_error` any other status,
 * including redirects.
 */
export type BankError =
  | { error: "auth_failed"; message: "Bank API token invalid or expired" }
  | { error: "not_found" }
  | { error: "rate_limited" }
  | { error: "network_error" }
  | { error: "invalid_response" }
  | { error: "upstream_error"; status: number }
  /** Never the client's: a reader stopped waiting for it. */
  | { error: "slow" };

export type BankErrorCode = BankError["error"];

export const isBankError = <Data extends object>(result: Data | BankError): result is BankError =>
  "error" in result;

export interface BankClientOptions {
  /** The spec's `{bank_api_base}`, without `/api/v1`. */
  baseUrl: string;
  /** Sent in the `Authorization` header only. */
  token: string;
  fetch: typeof fetch;
  /**
   * Timeout for a whole operation, including its retry and further pages. Defaults to 8 seconds.
   */
  timeoutMs?: number;
  /** Waits before the retry, until the time is up or the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Logs one line for each account with a missing or unexpected field, without account numbers. */
  log?: (entry: Record<string, unknown>) => void;
}

/** Filters of {@link BankClient.getTransactions}; dates are `YYYY-MM-DD` or ISO 8601 times. */
export interface TransactionOptions {
  /** At least 1. Providers accept up to 500 or 1,000. */
  limit?: number;
  offset?: number;
  /** Without it, the provider returns only the last 30 days. */
  start?: string;
  end?: string;
  /** Order by time. Defaults to `desc`, newest first. */
  order?: "asc" | "desc";
}

/** The provider operations that the site uses (spec 4.1). None of them throws. */
export interface BankClient {
  getAccounts(): Promise<Account[] | BankError>;
  /** Returns one account; `not_found` is expected for some restricted accounts. */
  getAccount(id: string): Promise<Account | BankError>;
  /** @param signal ends the operation before its timeout, as a timeout would */
  getTransactions(
    id: string,
    opts?: TransactionOptions,
    signal?: AbortSignal,
  ): Promise<TransactionPage | BankError>;
  getOrganization(): Promise<Organization | BankError>;
}

const STATUS_ERRORS: Record<number, BankError | undefined> = {
  401: { error: "auth_failed", message: "Bank API token invalid or expired" },
  404: { error: "not_found" },
  429: { error: "rate_limited" },
};
export const OPERATION_TIMEOUT_MS = 8 * SECOND_MS;
/** Far more than any organisation needs; guards against pagination that never ends. */
const MAX_PAGES = 100;
/** Enough for a thousand transactions with every field set. */
const BODY_LIMIT = 8 * 1024 * 1024;
const RETRY_PAUSE_MS = 250;
/** Someone is waiting for the page, so a longer `Retry-After` fails at once. */
const MAX_RETRY_PAUSE_MS = 2 * SECOND_MS;

/**
 * Creates a client of the banking provider (spec 1, 4.1, 7). Its results contain neither full
 * account numbers nor routing numbers.
 *
 * @example
 * ```ts
 * const client = createBankClient({ baseUrl: "https://bank.example", token, fetch });
 * const accounts = await client.getAccounts();
 * if (!isBankError(accounts)) console.log(sumAmounts(accounts.map(({ balance }) => balance)));
 * ```
 */
export function createBankClient(options: BankClientOptions): BankClient {
  const get = createGet(options);
  const deadline = () => AbortSignal.timeout(options.timeoutMs ?? OPERATION_TIMEOUT_MS);

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
    async getAccounts() {
      const signal = deadline();
      const accounts = new Map<string | symbol, Account>();
      let cursor: string | undefined;
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const query = { start_after: cursor };
        const result = await get(providerAccounts, ["accounts"], query, signal);
        if (isBankError(result)) return result;
        for (const account of result.accounts.map(accept)) {
          accounts.set(account.id || Symbol("no id"), account);
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
      const result = await get(providerAccount, ["account", id], {}, deadline());
      if (isBankError(result)) return result;
      // Without an id, it could be any account.
      return result.account.id === "" ? { error: "invalid_response" } : accept(result);
    },

    async getTransactions(id, { limit, offset, start, end, order } = {}, signal) {
      const query = { limit, offset, order, start, end };
      const path = ["account", id, "transactions"];
      const until = signal === undefined ? deadline() : AbortSignal.any([signal, deadline()]);
      const result = await get(providerTransactions, path, query, until);
      if (isBankError(result)) return result;
      const { total, transactions } = result;
      return { total: total ?? (offset ?? 0) + transactions.length, transactions };
    },

    getOrganization: () => get(providerOrganization, ["organization"], {}, deadline()),
  };
}

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
function createGet({ baseUrl, token, fetch, pause = sleep }: BankClientOptions) {
  const root = `${baseUrl.replace(/\/+$/, "")}/api/v1`;

  async function attempt(url: string, signal: AbortSignal): Promise<Attempt> {
    try {
      const response = await fetch(url, {
        headers: { accept: "application/json", authorization: `Bearer ${token}` },
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

/**
 * Checks whether the provider accepts a token, with one request for the smallest resource and no
 * retry. The response's body is not read.
 *
 * @returns null if it does
 */
export async function checkBank(
  { baseUrl, token, fetch }: Pick<BankClientOptions, "baseUrl" | "token" | "fetch">,
  signal: AbortSignal,
): Promise<BankErrorCode | null> {
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, "")}/api/v1/organization`, {
      headers: { accept: "application/json", authorization: `Bearer ${token}` },
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
