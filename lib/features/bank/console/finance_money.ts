import type { Treasury } from "../treasury.ts";
import { type BalanceChange, balanceChange } from "./balance_change.ts";
import { flowOf, freshnessOf, type MonthTiles } from "./dashboard.ts";
import { monthFlow } from "./month_flow.ts";

/** The finance page's figures that are derived from transactions, on the commercial console. */
export interface FinanceMoney {
  flow: MonthTiles;
  /** Null if no balance is known. */
  change: BalanceChange | null;
}

/**
 * @param since the day that was asked for, or an empty text
 * @param now milliseconds since 1970
 * @param patience when it aborts, stored figures take the place of those that the bank has not sent
 */
export async function readFinanceMoney(
  treasury: Treasury,
  since: string,
  now: number,
  patience?: AbortSignal,
): Promise<FinanceMoney> {
  const history = await treasury.history(patience);
  if (!history.ok) {
    const { error } = history;
    return { flow: { state: "unavailable", error, readAt: null, months: null }, change: null };
  }
  const months = monthFlow(history.accounts, now);
  return {
    flow: flowOf(freshnessOf(history), months),
    change: balanceChange(history, since, now),
  };
}
