/** Calculates past daily balances backwards from the current balance and the daily totals. */
import { DAY_MS, dayOf } from "../../base/time.ts";
import { type AccountTotals, type DayTotal, HISTORY_DAYS } from "./daily_totals.ts";
import { toCents } from "./money.ts";
import type { AccountHistory, TreasuryHistory } from "./treasury.ts";

/** Balances at the end of each UTC day, in cents. The last day is today, with the current balance. */
interface Balances {
  /** `YYYY-MM-DD`, in order. */
  days: readonly string[];
  /** The balances by account, in the order of the history; null where one is unknown. */
  accounts: (readonly (bigint | null)[])[];
  /** The balance of all active accounts; null where that of one is unknown. */
  total: (bigint | null)[];
}

/**
 * Derives the balances of the last 90 days backwards from the current ones. The balance of an
 * account whose transactions the bank does not share is assumed not to have changed.
 *
 * @param now milliseconds since 1970
 */
export function balancesOf({ accounts, cached_at }: TreasuryHistory, now: number): Balances {
  const days = daysTo(dayOf(now));
  const series = accounts.map((account) => accountBalances(account, days, cached_at));
  const active = series.filter((_, i) => accounts[i].account.status === "active");
  return { days, accounts: series, total: days.map((_, i) => sumOf(active, i)) };
}

/** The last 90 days until the last day that was asked for, because their texts take as long as the sums. */
let lastDays: readonly string[] = [];

/** Returns the last 90 days. */
function daysTo(today: string): readonly string[] {
  if (lastDays.at(-1) !== today) {
    const now = Date.parse(today);
    lastDays = Array.from(
      { length: HISTORY_DAYS },
      (_, i) => dayOf(now - (HISTORY_DAYS - 1 - i) * DAY_MS),
    );
  }
  return lastDays;
}

/** Returns the sum of one day's balances; null if one is unknown, or if there are none. */
function sumOf(series: readonly (readonly (bigint | null)[])[], day: number): bigint | null {
  if (series.length === 0) return null;
  let sum = 0n;
  for (const balances of series) {
    const balance = balances[day];
    if (balance === null) return null;
    sum += balance;
  }
  return sum;
}

/** The balances that were last derived from an account's totals, so that not every view derives them again. */
const derived = new WeakMap<
  AccountTotals,
  { current: bigint; days: readonly string[]; balances: readonly (bigint | null)[] }
>();

function accountBalances(
  { account, totals }: AccountHistory,
  days: readonly string[],
  cachedAt: string,
): readonly (bigint | null)[] {
  const { balance } = account;
  if (balance === null || totals === null || !belongsTo(totals, cachedAt)) {
    return days.map(() => null);
  }
  const current = toCents(balance);
  if (totals.state === "not_shared") return days.map(() => current);
  const last = derived.get(totals);
  if (last?.current === current && last.days === days) return last.balances;
  const balances = backwardsFrom(current, days, totals);
  derived.set(totals, { current, days, balances });
  return balances;
}

/** Derives the balance at the end of each day, backwards from the current one, which is that of the last day. */
function backwardsFrom(
  current: bigint,
  days: readonly string[],
  totals: AccountTotals,
): (bigint | null)[] {
  const balances = new Array<bigint | null>(days.length).fill(null);
  balances[days.length - 1] = current;
  let balance = current;
  let next = totals.days.length - 1; // both lists are in order
  for (let i = days.length - 1; i > 0 && totals.first !== null && totals.first <= days[i]; i--) {
    while (next >= 0 && totals.days[next].day > days[i]) next--;
    if (next >= 0 && totals.days[next].day === days[i]) balance -= netOf(totals.days[next]);
    balances[i - 1] = balance;
  }
  return balances;
}

/** Returns whether the totals are those of a balance, from which earlier ones can then be derived. */
const belongsTo = ({ state, read_at }: AccountTotals, cachedAt: string): boolean =>
  state === "not_shared" || read_at === cachedAt;

/** Returns the change of a balance on a day, in cents. */
const netOf = ({ in: into, out, transfers }: DayTotal): bigint => into + out + transfers;
