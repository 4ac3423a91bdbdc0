/** The statistics about records on the console: totals, and charts of registrations. */
import type { ChartData } from "../chart/mod.ts";
import { NO_SITE, type RecordTotals, type RegistrationCount } from "../contact/mod.ts";
import type { Records } from "./mod.ts";
import type { OrganisationKey, Surfaces } from "../../platform/surfaces/mod.ts";
import { DAY_MS, dayOf } from "../../base/time.ts";

/** The periods that can be chosen, in days, with their names. */
export const CHART_PERIODS = { 30: "30 days", 90: "90 days", 365: "12 months" } as const;
const LONGEST = 365;
export type ChartPeriod = keyof typeof CHART_PERIODS;

/** The numbers of an organisation's records: totals and charts, nothing about single records. */
export interface RecordStatistics {
  period: ChartPeriod;
  totals: RecordTotals;
  /** The registrations of the period. */
  count: number;
  /** The last 12 months by day, whatever the period is. */
  byTime: ChartData;
  byType: ChartData;
  bySite: ChartData;
  byLevel: ChartData;
}

export const chartPeriodOf = (text: string | null): ChartPeriod =>
  text === "30" || text === "365" ? Number(text) as ChartPeriod : 90;

/** Reads the statistics of one organisation from the counters, which are kept until one changes. */
export async function readStatistics(
  { records, surfaces, clock }: {
    records: Pick<Records, "overview">;
    surfaces: Surfaces;
    clock: () => number;
  },
  organisation: OrganisationKey,
  period: ChartPeriod,
): Promise<RecordStatistics> {
  const days = daysUntil(clock(), LONGEST);
  const { totals, registrations } = await records.overview(organisation);
  const all = await registrations({ from: days[0], to: days.at(-1)! });
  const perDay = sumBy(all, ({ day }) => day);
  const counts = all.filter(({ day }) => day >= days[LONGEST - period]);
  return {
    period,
    totals,
    count: counts.reduce((sum, { count }) => sum + count, 0),
    byTime: {
      labels: all.length === 0 ? [] : days,
      datasets: [{ label: "Registrations", data: days.map((day) => perDay.get(day) ?? 0) }],
    },
    byType: chartOf(sumBy(counts, ({ type }) => type || "Not given")),
    bySite: chartOf(sumBy(counts, ({ site }) => siteName(site, surfaces))),
    byLevel: {
      labels: ["Level 1", "Level 2", "Level 3", "Level 4"],
      datasets: [{ label: "Records", data: Object.values(totals.levels) }],
    },
  };
}

/** Returns the name of a site for people. */
export function siteName(site: string | null | undefined, { known }: Surfaces): string {
  if (!site) return "Not recorded";
  if (site === NO_SITE) return "API, without a website";
  return known.find(({ name }) => name === site)?.title ?? site;
}

function daysUntil(now: number, count: number): string[] {
  return Array.from(
    { length: count },
    (_, i) => dayOf(now - (count - 1 - i) * DAY_MS),
  );
}

function sumBy(
  counts: readonly RegistrationCount[],
  keyOf: (count: RegistrationCount) => string,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const each of counts) sums.set(keyOf(each), (sums.get(keyOf(each)) ?? 0) + each.count);
  return sums;
}

/** The largest group first. */
function chartOf(sums: Map<string, number>): ChartData {
  const sorted = [...sums].sort(([, a], [, b]) => b - a);
  return {
    labels: sorted.map(([label]) => label),
    datasets: [{ label: "Registrations", data: sorted.map(([, count]) => count) }],
  };
}
