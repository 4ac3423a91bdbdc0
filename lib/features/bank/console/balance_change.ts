/** The table of how each account's balance has changed since a day that the operator chooses. */
import type { Account } from "../provider.ts";
import { balancesOf } from "../balances.ts";
import { toAmount } from "../money.ts";
import type { TreasuryHistory } from "../treasury.ts";
import { DAY_MS, dayOf, formatDay, isDay } from "../../../base/time.ts";
import { accountPath } from "./account_path.ts";

/** The change of the balances since the end of a day. Amounts are in dollars, null if unknown. */
export interface BalanceChange {
  /** The day as it was typed, or the last day of the month before. */
  since: string;
  /** Why there are no rows. */
  issue: string | null;
  /** The first and the last day that can be chosen; null if no balance is known. */
  days: { first: string; last: string } | null;
  /** The active accounts. */
  rows: ChangeRow[];
  total: Change;
}

interface Change {
  before: number | null;
  change: number | null;
  now: number | null;
}

interface ChangeRow extends Change {
  account: Account;
  /** The transactions of the days; null if the bank does not share them. */
  href: string | null;
}

/**
 * Returns the change of each account's balance and of their total since the end of a day (UTC).
 *
 * @param typed the day that was asked for; empty for the last day of the month before
 * @param now milliseconds since 1970
 */
export function balanceChange(
  history: TreasuryHistory,
  typed: string,
  now: number,
): BalanceChange {
  const { days, accounts, total } = balancesOf(history, now);
  const last = days.length - 1;
  const firstKnown = total.findIndex((balance) => balance !== null);
  const known = firstKnown === -1 || firstKnown === last
    ? null
    : { first: days[firstKnown], last: days[last - 1] };
  const since = typed || dayOf(Date.parse(`${dayOf(now).slice(0, 7)}-01`) - DAY_MS);
  const issue = issueOf(since, known);
  const at = days.indexOf(since);
  const active = history.accounts.flatMap((one, i) =>
    one.account.status === "active" ? [{ ...one, balances: accounts[i] }] : []
  );
  const after = dayOf(Date.parse(since) + DAY_MS || 0);
  return {
    since,
    issue,
    days: known,
    rows: issue !== null ? [] : active.map(({ account, balances, totals }) => ({
      account,
      ...changeOf(balances[at], balances[last]),
      href: totals === null || totals.state === "not_shared"
        ? null
        : `${accountPath(account.id)}?start=${after}&end=${days[last]}`,
    })),
    total: issue !== null ? NOTHING : changeOf(total[at], total[last]),
  };
}

const NOTHING: Change = { before: null, change: null, now: null };

function changeOf(before: bigint | null, now: bigint | null): Change {
  const change = before === null || now === null ? null : toAmount(now - before);
  return {
    before: before === null ? null : toAmount(before),
    change,
    now: now === null ? null : toAmount(now),
  };
}

function issueOf(since: string, known: BalanceChange["days"]): string | null {
  if (!isDay(since)) return "Enter a date, such as 2026-01-31.";
  if (known === null) return "The balances of earlier days are not known.";
  if (since > known.last) return "Choose a day before today.";
  return since < known.first
    ? "The bank’s transactions are read for 90 days, so the first day that can be chosen is " +
      `${formatDay(known.first)}.`
    : null;
}
