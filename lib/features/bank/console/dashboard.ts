/** The bank's cards on the dashboard, by console and by what the signed-in person may see. */
import type { Account } from "../provider.ts";
import { balancesOf } from "../balances.ts";
import type { PendingAccount, Summary, TreasuryFailure } from "../api.ts";
import { toAmount } from "../money.ts";
import type { Latest, Treasury, TreasuryHistory } from "../treasury.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import type { Layer } from "../../operators/mod.ts";
import { type Board, boardOf } from "./board.ts";
import { type MonthFlow, monthFlow } from "./month_flow.ts";

/** The age of the figures of a card. */
export interface Freshness {
  state: "live" | "stale" | "unavailable";
  /** Why the state is not `live`. */
  error?: TreasuryFailure["error"];
  /** When the oldest figures were read, ISO 8601 in UTC; null if there are none. */
  readAt: string | null;
}

export interface AccountLine {
  account: Account;
  /** The balance on the days that are known, in dollars. Fewer than two: no sparkline. */
  balances: number[];
}

/** In, out and net of this month. */
export type MonthTiles = Freshness & { months: MonthFlow | null };

export const flowOf = (fresh: Freshness, months: MonthFlow | null): MonthTiles => ({
  ...fresh,
  state: months === null ? "unavailable" : fresh.state,
  months,
});

/** The bank's part of the dashboard for full administrators of the commercial console. */
export interface Money {
  /** When the balances were read, and why they are not current. */
  accountsAt: string;
  reason?: TreasuryFailure["error"];
  accounts: AccountLine[];
  flow: MonthTiles;
  latest: Latest;
}

const LATEST = 8;

/** The amounts in dollars, by the list of balances that they were converted from. */
const amounts = new WeakMap<readonly (bigint | null)[], number[]>();

const amountsOf = (balances: readonly (bigint | null)[]): number[] =>
  balances.filter((balance) => balance !== null).map(toAmount);

/** Returns the bank's figures on the dashboard. */
function moneyOf(history: TreasuryHistory, latest: Latest, now: number): Money {
  const { accounts } = balancesOf(history, now);
  return {
    accountsAt: history.cached_at,
    reason: history.reason,
    accounts: history.accounts.map(({ account }, i) => ({
      account,
      balances: amounts.getOrInsertComputed(accounts[i], amountsOf),
    })),
    flow: flowOf(freshnessOf(history), monthFlow(history.accounts, now)),
    latest,
  };
}

/** Returns the worst state of the active accounts' totals. */
export function freshnessOf({ accounts, reason, cached_at }: TreasuryHistory): Freshness {
  const read = accounts.flatMap(({ totals }) => totals ?? []);
  const worst = (["unavailable", "stale"] as const)
    .map((state) => read.find((totals) => totals.state === state))
    .find((totals) => totals !== undefined);
  const times = read.flatMap(({ read_at }) => read_at ?? []).sort();
  return {
    state: worst?.state === "unavailable"
      ? "unavailable"
      : worst !== undefined || reason !== undefined
      ? "stale"
      : "live",
    error: reason ?? worst?.error,
    readAt: times[0] ?? cached_at,
  };
}

/** The bank's cards: one kind for each console and layer, and `failed` for all of them. */
type BankView =
  /** Full administrators of the commercial console. */
  | { kind: "money"; money: Money }
  /** Full administrators of the foundation: balance and status only (spec 4.2.2). */
  | {
    kind: "accounts";
    accounts: AccountLine[];
    freshness: Freshness;
    /** The only account of a split surface while the bank does not share it (spec 4.2.4). */
    pending?: PendingAccount;
  }
  /** Board members: only the summary (spec 4.2.1 and 4.2.3). */
  | { kind: "none" }
  /** Nothing is known. */
  | { kind: "failed"; error: TreasuryFailure["error"] };

export interface Bank {
  summary: Summary;
  /** The past as both layers see it. */
  board: Board;
  view: BankView;
  /** True if the bank was too slow, so that some figures are stored ones or missing. */
  late: boolean;
}

/**
 * Reads what a layer of a console may see of the bank.
 *
 * @param patience when it aborts, stored figures take the place of those that the bank has not sent
 */
export async function readBank(
  { treasuries, clock }: {
    treasuries: Record<OrganisationKey, Treasury>;
    clock: () => number;
  },
  organisation: OrganisationKey,
  layer: Layer,
  patience?: AbortSignal,
): Promise<Bank> {
  const treasury = treasuries[organisation];
  const isFull = layer === "L1";
  const [{ summary, board }, latest, history] = await Promise.all([
    readBoard(treasury, clock(), patience),
    // Before the history, whose requests may be long.
    isFull && organisation === "commercial" ? treasury.latest(LATEST, patience) : null,
    isFull ? treasury.history(patience) : null,
  ]);
  const read = { summary, board, late: patience?.aborted ?? false };
  if (history === null) return { ...read, view: { kind: "none" } };
  if (!history.ok) return { ...read, view: { kind: "failed", error: history.error } };
  if (latest !== null) {
    return { ...read, view: { kind: "money", money: moneyOf(history, latest, clock()) } };
  }
  const accounts = history.accounts.map(({ account }) => ({ account, balances: [] }));
  const { pending_account: pending } = history;
  const freshness = freshnessOf(history);
  return { ...read, view: { kind: "accounts", accounts, freshness, pending } };
}

/** Reads the part that both layers see, without any transaction. */
export async function readBoard(
  treasury: Treasury,
  now: number,
  patience?: AbortSignal,
): Promise<{ summary: Summary; board: Board }> {
  const [summary, sums] = await Promise.all([treasury.summary(patience), treasury.sums.read()]);
  return { summary, board: boardOf(sums, summary, now) };
}
