/** Reads the transactions of 90 days and stores their sums by day and account. */
import { z } from "zod";
import {
  defineTable,
  expires,
  EXPIRING,
  ifWritable,
  isLive,
  isoAfter,
} from "../../platform/kv/mod.ts";
import { DAY_MS, dayOf, inDays } from "../../base/time.ts";
import { failureOf, type TreasuryFailure } from "./api.ts";
import { toCents } from "./money.ts";
import { type PageResult, readPages } from "./pages.ts";
import { type BankProvider, isBankError, movedMoney, type SentTransaction } from "./provider.ts";

/** The sums of an account's transactions on one UTC day, in cents. */
const dayTotal = z.strictObject({
  /** The day on which the transactions were created, as in the bank's filters. */
  day: z.iso.date(),
  in: z.bigint(),
  /** The sum of outgoing amounts, which is zero or negative. */
  out: z.bigint(),
  /** Net of the transfers between the organisation's own accounts. `in` and `out` exclude them. */
  transfers: z.bigint(),
});

export type DayTotal = z.infer<typeof dayTotal>;

/**
 * The money that came in and went out of an account, by day (UTC). Amounts are in cents. They belong to one balance:
 * what was posted later counts when the balance has been read again.
 */
export interface AccountTotals {
  /**
   * `live`: those of the balance. `stale`: as last stored. `not_shared`: the bank returns 404 for
   * the account's transactions. `unavailable`: could not be read, and nothing is stored.
   */
  state: "live" | "stale" | "not_shared" | "unavailable";
  /** Why the state is not `live`. */
  error?: TreasuryFailure["error"];
  /** When the bank sent the balance that they belong to, ISO 8601 in UTC; null if there are none. */
  read_at: string | null;
  /** The first day whose total is known; null if there are none. */
  first: string | null;
  /** The days with transactions, in order. */
  days: DayTotal[];
}

export interface DailyTotals {
  /**
   * Reads the last {@link HISTORY_DAYS} days of an account. The bank is asked once for each balance, or until it has
   * sent all days. Never throws because of the bank.
   *
   * @param balanceAt when the account's balance was read, ISO 8601 in UTC
   * @param signal ends all requests; null makes none
   */
  read(accountId: string, balanceAt: string, signal: AbortSignal | null): Promise<AccountTotals>;
}

export const HISTORY_DAYS = 90;
const HISTORY_MS = HISTORY_DAYS * DAY_MS;

const storedTotals = z.strictObject({
  read_at: z.iso.datetime(),
  /** Every day from this one to the day of `read_at` is known. */
  first: z.iso.date(),
  days: z.array(dayTotal),
  ...EXPIRING,
});

type StoredTotals = z.infer<typeof storedTotals>;

/**
 * The daily totals of accounts, the only thing derived from transactions that is stored. With a new balance, a stored
 * day is used only if it was read when it was at least 30 days old. Later days are read again.
 */
export const bankDaily = defineTable({
  prefix: "bank_daily",
  value: storedTotals,
  key: ["scope", "account"],
  owner: "organisation",
  lifetime: expires(inDays(HISTORY_MS)),
  per: "bank account",
});

/** Transactions may still fail or be reversed in these days, so they are read again with each balance. */
const UNCERTAIN_DAYS = 30;
/** The most pages that are read for a span of one account: 10,000 transactions at 500 per page. */
const MAX_PAGES = 20;
const PAGES_AHEAD = 6;
/** The maximum of the filter of `GET /api/bank/transactions`. Longer ids would not fit into a key. */
const MAX_ID_LENGTH = 100;

export function createDailyTotals({ kv, clock, scope, provider }: {
  kv: Deno.Kv;
  clock: () => number;
  scope: string;
  provider: BankProvider;
}): DailyTotals {
  /**
   * The totals of each account's last balance, if another read for it would bring no more. There are as many as the
   * bank has listed accounts.
   */
  const kept = new Map<string, { balanceAt: string; totals: AccountTotals }>();

  return {
    async read(accountId, balanceAt, signal) {
      if (accountId.length > MAX_ID_LENGTH) return { ...NOTHING, error: "not_found" };
      const now = clock();
      const [begin, recent] = [HISTORY_DAYS, UNCERTAIN_DAYS].map((days) =>
        dayBefore(now, days - 1)
      );
      const last = kept.get(accountId);
      if (signal !== null && last?.balanceAt === balanceAt) return since(begin, last.totals);
      const entry = await bankDaily.get(kv, scope, accountId);
      const stored = entry.value !== null && isLive(entry.value, now) ? entry.value : null;
      if (signal === null) return fallback(stored);
      if (stored !== null && stored.read_at === balanceAt && stored.first <= begin) {
        const totals = live(stored);
        kept.set(accountId, { balanceAt, totals });
        return since(begin, totals);
      }

      // Starts with the first day that was not yet certain when the stored totals were read.
      const uncertain = stored && dayBefore(Date.parse(stored.read_at), UNCERTAIN_DAYS - 1);
      const from = laterOf(begin, uncertain !== null && uncertain < recent ? uncertain : recent);
      const load = (span: Span) =>
        readSpan(async (page) => {
          const options = { ...span, ...page, balanceAt };
          const read = await provider.getTransactions(accountId, options, signal);
          return isBankError(read) ? failureOf(read) : { ok: true, page: read };
        }, span);
      const current = await load({ start: from });
      if (current.error !== undefined) {
        return current.error === "not_found"
          ? { ...NOTHING, state: "not_shared", error: current.error }
          : fallback(stored, current.error);
      }

      let first = current.reached ?? from;
      const days = sumByDay(current.transactions, balanceAt, first);
      if (!current.truncated) {
        if (stored !== null && stored.first < from) {
          first = laterOf(begin, stored.first);
          days.unshift(...stored.days.filter(({ day }) => first <= day && day < from));
        }
        if (begin < first) {
          const end = dayBefore(Date.parse(first), 1);
          const earlier = await load({ start: begin, end });
          if (earlier.reached !== undefined && earlier.reached < first) {
            days.unshift(...sumByDay(earlier.transactions, balanceAt, earlier.reached, first));
            first = earlier.reached;
          }
        }
      }

      const row = { read_at: balanceAt, first, days, expires_at: isoAfter(now, HISTORY_MS) };
      const totals = live(row);
      // Another read may have ended first, for this balance or for a later one.
      const known = kept.get(accountId);
      if (known?.balanceAt === balanceAt) return since(begin, known.totals);
      if (laterOf(known?.balanceAt ?? "", stored?.read_at ?? "") > balanceAt) return totals;
      if (current.truncated || first <= begin) kept.set(accountId, { balanceAt, totals });
      const commit = kv.atomic().check(entry);
      bankDaily.put(commit, [scope, accountId], row, now);
      await ifWritable(() => commit.commit());
      return totals;
    },
  };
}

const NOTHING: AccountTotals = {
  state: "unavailable",
  read_at: null,
  first: null,
  days: [],
};

const live = ({ read_at, first, days }: StoredTotals): AccountTotals => ({
  state: "live",
  read_at,
  first,
  days,
});

/** Returns totals without the days before one, which have left the history since they were read. */
const since = (begin: string, totals: AccountTotals): AccountTotals =>
  totals.first === null || totals.first >= begin
    ? totals
    : { ...totals, first: begin, days: totals.days.filter(({ day }) => day >= begin) };

const fallback = (stored: StoredTotals | null, error?: TreasuryFailure["error"]): AccountTotals =>
  stored === null ? { ...NOTHING, error } : {
    ...NOTHING,
    state: "stale",
    error,
    read_at: stored.read_at,
    first: stored.first,
    days: stored.days,
  };

interface Span {
  start: string;
  /** Default: today. */
  end?: string;
}

interface SpanResult {
  /** The transactions, newest first. */
  transactions: SentTransaction[];
  /** The first day that was read completely; absent if nothing was read. */
  reached?: string;
  /** True if there were too many transactions to read. */
  truncated?: boolean;
  error?: TreasuryFailure["error"];
}

/** Reads the transactions of a span, newest first. */
async function readSpan(
  read: (page: { offset: number }) => Promise<PageResult>,
  { start }: Span,
): Promise<SpanResult> {
  const transactions: SentTransaction[] = [];
  let failure: TreasuryFailure | undefined;
  const pages = readPages(read, { maxPages: MAX_PAGES, ahead: PAGES_AHEAD });
  for await (const result of pages) {
    if (result.ok) transactions.push(...result.page.transactions);
    else failure = result;
  }
  const oldest = transactions.at(-1);
  if (failure === undefined) return { transactions, reached: start };
  // The oldest day of an incomplete list may be incomplete.
  const reached = oldest && dayBefore(Date.parse(oldest.created_at), -1);
  return failure.error === "too_many"
    ? { transactions, reached, truncated: true }
    : { transactions, reached, error: failure.error };
}

/** Sums the transactions that had moved money until a time, on the days from `first` to the one before `end`. */
function sumByDay(
  transactions: readonly SentTransaction[],
  until: string,
  first: string,
  end = "~",
): DayTotal[] {
  const totals = new Map<string, DayTotal>();
  let total: DayTotal | undefined;
  for (const transaction of transactions) {
    const { posted_at, created_at } = transaction;
    if (!movedMoney(transaction) || laterOf(created_at, posted_at ?? "") > until) continue;
    const day = created_at.slice(0, 10);
    if (day < first || day >= end) continue;
    // The transactions of a day follow each other, so most need no search.
    if (total?.day !== day) {
      total = totals.getOrInsertComputed(day, () => ({ day, in: 0n, out: 0n, transfers: 0n }));
    }
    const cents = toCents(transaction.amount);
    if (transaction.own_transfer) total.transfers += cents;
    else if (cents > 0n) total.in += cents;
    else total.out += cents;
  }
  return [...totals.values()].sort((a, b) => compare(a.day, b.day));
}

/** Returns the UTC day that is some days before the day of a time. */
export const dayBefore = (time: number, days: number): string => dayOf(time - days * DAY_MS);

const compare = (a: string, b: string) => a < b ? -1 : a > b ? 1 : 0;
const laterOf = (one: string, other: string) => one > other ? one : other;
