import { type DayTotal, toAmount, type Treasury, type TreasuryHistory } from "../bank/mod.ts";
import { dayOf } from "../../base/time.ts";
import { balancesOf, belongsTo } from "./balances.ts";
import { type MonthFlow, monthFlow } from "./month_flow.ts";

/** The figures that the dashboard derives from balances and daily totals, without any transaction. */
export interface Figures {
  /** The known balances of each account, in the order of the history, in dollars. */
  accounts: number[][];
  /** The days whose total balance is known, with their balances. */
  trend: { days: string[]; balances: number[] };
  months: MonthFlow | null;
}

/** Everything that {@link Figures} depend on, of one account. */
interface Source {
  balance: number | null;
  status: string;
  state?: string;
  first?: string | null;
  since?: bigint;
  /** True if balances can be derived from the totals. */
  belongs: boolean;
  days: readonly DayTotal[];
}

interface Kept {
  today: string;
  sources: Source[];
  figures: Figures;
}

/** The last figures of each treasury. */
const kept = new WeakMap<Treasury, Kept>();

/**
 * Returns the figures of a treasury's history. They are derived again only if the day, a balance or
 * the daily totals have changed.
 *
 * @param now milliseconds since 1970
 */
export function figuresOf(treasury: Treasury, history: TreasuryHistory, now: number): Figures {
  const today = dayOf(now);
  const sources = sourcesOf(history);
  const last = kept.get(treasury);
  if (last !== undefined && last.today === today && areEqual(last.sources, sources)) {
    return last.figures;
  }
  const figures = derive(history, now);
  kept.set(treasury, { today, sources, figures });
  return figures;
}

function derive(history: TreasuryHistory, now: number): Figures {
  const { days, accounts, total } = balancesOf(history, now);
  const isKnown = (balance: bigint | null) => balance !== null;
  return {
    accounts: accounts.map((balances) => balances.filter(isKnown).map(toAmount)),
    trend: {
      days: days.filter((_, i) => isKnown(total[i])),
      balances: total.filter(isKnown).map(toAmount),
    },
    months: monthFlow(history.accounts, now),
  };
}

const sourcesOf = ({ accounts, cached_at }: TreasuryHistory): Source[] =>
  accounts.map(({ account: { balance, status }, totals }) => ({
    balance,
    status,
    state: totals?.state,
    first: totals?.first,
    since: totals?.since,
    belongs: totals !== null && belongsTo(totals, cached_at),
    days: totals?.days ?? [],
  }));

const areEqual = (before: readonly Source[], after: readonly Source[]): boolean =>
  before.length === after.length &&
  before.every((one, i) => {
    const other = after[i];
    return one.balance === other.balance && one.status === other.status &&
      one.state === other.state && one.first === other.first && one.since === other.since &&
      one.belongs === other.belongs && haveSameDays(one.days, other.days);
  });

const haveSameDays = (before: readonly DayTotal[], after: readonly DayTotal[]): boolean =>
  before === after || before.length === after.length &&
    before.every((one, i) => {
      const other = after[i];
      return one.day === other.day && one.in === other.in && one.out === other.out &&
        one.transfers === other.transfers;
    });
