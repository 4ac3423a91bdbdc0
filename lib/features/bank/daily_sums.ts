/** Stores the daily sums of a console's active accounts, from which the chart of the total is drawn. */
import { z } from "zod";
import {
  defineTable,
  expires,
  EXPIRING,
  expiring,
  ifWritable,
  isoAfter,
} from "../../platform/kv/mod.ts";
import { DAY_MS, dayOf, inDays } from "../../base/time.ts";
import { HISTORY_DAYS } from "./daily_totals.ts";
import { toAmount } from "./money.ts";

/** The balance of all active accounts of a console at the end of each UTC day, in dollars. */
export interface DailySums {
  /** `YYYY-MM-DD`, in order. The last one may be today, whose sum is that of the last reading. */
  days: string[];
  balances: number[];
  /** When the last one was stored, ISO 8601 in UTC; null if there are none. */
  readAt: string | null;
}

const storedSums = z.strictObject({
  read_at: z.iso.datetime(),
  /** The days in order, with their sums in cents. */
  days: z.array(z.strictObject({ day: z.iso.date(), balance: z.bigint() })),
  ...EXPIRING,
});

const KEPT_MS = HISTORY_DAYS * DAY_MS;

/** The past as board members see it: sums, without data of any account (spec 4.2.3). */
export const bankSums = defineTable({
  prefix: "bank_sums",
  value: storedSums,
  key: ["scope"],
  owner: "organisation",
  lifetime: expires(inDays(KEPT_MS)),
  per: "console",
});

export interface DailySumStore {
  read(): Promise<DailySums>;
  /**
   * Stores the sums of days in place of those that were stored for them; those of other days are kept.
   *
   * @param sums cents by day
   * @returns the number of days that are stored
   */
  write(sums: ReadonlyMap<string, bigint>): Promise<number>;
}

/** The sums of a console without a bank. */
export const NO_SUMS: DailySumStore = {
  read: () => Promise.resolve({ days: [], balances: [], readAt: null }),
  write: () => Promise.resolve(0),
};

/** @param scope names the console and the bank, so that another bank never shows the sums of this one */
export function createDailySums(
  { kv, clock, scope }: { kv: Deno.Kv; clock: () => number; scope: string },
): DailySumStore {
  const stored = async () => (await bankSums.getLive(kv, clock(), scope))?.value ?? null;
  return {
    async read() {
      const row = await stored();
      const first = firstDay(clock());
      const days = row?.days.filter(({ day }) => day >= first) ?? [];
      return {
        days: days.map(({ day }) => day),
        balances: days.map(({ balance }) => toAmount(balance)),
        readAt: row?.read_at ?? null,
      };
    },

    async write(sums) {
      const now = clock();
      const before = (await stored())?.days ?? [];
      const known = new Map([
        ...before.map(({ day, balance }) => [day, balance] as const),
        ...sums,
      ]);
      const days = [...known].filter(([day]) => day >= firstDay(now))
        .sort(([one], [other]) => one < other ? -1 : 1)
        .map(([day, balance]) => ({ day, balance }));
      if (days.length === 0) return 0;
      const row = { read_at: isoAfter(now, 0), days, expires_at: isoAfter(now, KEPT_MS) };
      await ifWritable(() => kv.set(bankSums.key(scope), row, expiring(row, now)));
      return days.length;
    },
  };
}

const firstDay = (now: number): string => dayOf(now - (HISTORY_DAYS - 1) * DAY_MS);
