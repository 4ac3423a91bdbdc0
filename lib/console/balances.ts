import {
  type AccountHistory,
  type AccountTotals,
  type DayTotal,
  HISTORY_DAYS,
  toCents,
  type TreasuryHistory,
} from "../bank/mod.ts";
import { dayOf } from "../chart/mod.ts";
import { DAY_MS, MINUTE_MS } from "../time.ts";

/** Balances at the end of each UTC day, in cents. The last day is today, with the current balance. */
export interface Balances {
  /** `YYYY-MM-DD`, in order. */
  days: string[];
  /** By account, in the order of the history; null where it is unknown. */
  accounts: (bigint | null)[][];
  /** Of all active accounts; null where the balance of one is unknown. */
  total: (bigint | null)[];
}

/** Stored totals and a balance that were read further apart do not belong together. */
const MAX_DRIFT_MS = 15 * MINUTE_MS;

/**
 * Derives the balances of the last 90 days backwards from the current ones. The balance of an
 * account whose transactions the bank does not share is assumed not to have changed.
 *
 * @param now milliseconds since 1970
 */
export function balancesOf({ accounts, cached_at }: TreasuryHistory, now: number): Balances {
  const days = Array.from(
    { length: HISTORY_DAYS },
    (_, i) => dayOf(now - (HISTORY_DAYS - 1 - i) * DAY_MS),
  );
  const series = accounts.map((account) => accountBalances(account, days, cached_at));
  const active = series.filter((_, i) => accounts[i].account.status === "active");
  const total = days.map((_, i) =>
    active.length === 0 ? null : active.map((balances) => balances[i]).reduce(
      (sum, one) => sum === null || one === null ? null : sum + one,
      0n,
    )
  );
  return { days, accounts: series, total };
}

function accountBalances(
  { account, totals }: AccountHistory,
  days: string[],
  cachedAt: string,
): (bigint | null)[] {
  const balances = days.map((): bigint | null => null);
  if (account.balance === null || totals === null || !belongsTo(totals, cachedAt)) return balances;
  const current = toCents(account.balance);
  if (totals.state === "not_shared") return balances.fill(current);
  const nets = new Map(totals.days.map((total) => [total.day, netOf(total)]));
  balances[days.length - 1] = current;
  // Transactions are read at once, but the balance may be some minutes old.
  let balance = current + totals.since;
  for (let i = days.length - 1; i > 0 && totals.first !== null && totals.first <= days[i]; i--) {
    balance -= nets.get(days[i]) ?? 0n;
    balances[i - 1] = balance;
  }
  return balances;
}

/** Returns whether balances can be derived from these totals and a balance of this age. */
const belongsTo = ({ state, read_at }: AccountTotals, cachedAt: string): boolean =>
  state === "live" || state === "not_shared" ||
  state === "stale" && Math.abs(Date.parse(read_at!) - Date.parse(cachedAt)) <= MAX_DRIFT_MS;

/** Returns the change of a balance on a day, in cents. */
const netOf = ({ in: into, out, transfers }: DayTotal): bigint => into + out + transfers;
