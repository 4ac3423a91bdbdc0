/** The hourly job that stores the daily sums of each console's bank accounts. */
import { dayOf, HOUR_MS, MINUTE_MS, plural } from "../../base/time.ts";
import type { Job } from "../../platform/jobs/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { balancesOf } from "./balances.ts";
import { totalOf } from "./connection.ts";
import { toCents } from "./money.ts";
import type { Treasury, TreasuryHistory } from "./treasury.ts";

/**
 * Creates the job that stores the sums of each console's accounts. It derives those of the last 90 days again, because
 * transactions may still fail or be reversed, and runs each hour, so that the last sum of a day is a late one.
 */
export function createSumJob({ clock, treasuries }: {
  clock: () => number;
  treasuries: Record<OrganisationKey, Pick<Treasury, "history" | "sums">>;
}): Job {
  async function keep(organisation: OrganisationKey): Promise<string> {
    const { history, sums } = treasuries[organisation];
    const read = await history();
    if (!read.ok) return `${organisation}: ${read.error}`;
    if (read.reason !== undefined) return `${organisation}: ${read.reason}`;
    const count = await sums.write(sumsOf(read, clock()));
    return `${organisation}: ${plural(count, "day")}`;
  }

  return {
    name: "bank-sums",
    title: "Storing the sums of the bank’s accounts",
    everyMs: HOUR_MS,
    maxMs: MINUTE_MS,
    run: async () => (await Promise.all([keep("foundation"), keep("commercial")])).join(", "),
  };
}

/** Returns the sums of the days that are known, in cents. Today's needs no transactions. */
function sumsOf(history: TreasuryHistory, now: number): Map<string, bigint> {
  const { days, total } = balancesOf(history, now);
  const sums = new Map<string, bigint>();
  for (const [i, sum] of total.entries()) if (sum !== null) sums.set(days[i], sum);
  const { total_balance, active_accounts } = totalOf(
    history.accounts.map(({ account }) => account),
  );
  if (total_balance !== null && active_accounts > 0) sums.set(dayOf(now), toCents(total_balance));
  return sums;
}
