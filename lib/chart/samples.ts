import { DAY, dayOf } from "./dates.ts";
import type { ChartData } from "./types.ts";

const LAST_DAY = Date.UTC(2026, 2, 31);

/** A walk that is the same every time: numbers of at most two decimals around zero. */
function* walk(seed: number): Generator<number> {
  for (let state = seed;;) {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    yield Math.round((state / 2 ** 32 - 0.5) * 20_000) / 100;
  }
}

function days(count: number): string[] {
  return Array.from({ length: count }, (_, i) => dayOf(LAST_DAY - (count - 1 - i) * DAY));
}

/** Money in, out and net per day up to 31 March 2026, for the gallery and the tests. */
export function flowSample(count = 400): ChartData {
  const steps = walk(7);
  const flow = Array.from({ length: count }, (_, i) => {
    const [first, second] = [steps.next().value!, steps.next().value!];
    const weekend = [0, 6].includes(new Date(LAST_DAY - (count - 1 - i) * DAY).getUTCDay());
    return weekend ? [0, 0] : [1_200 + first * 6, -(900 + second * 5)].map(cents);
  });
  return {
    labels: days(count),
    datasets: [
      { label: "In", data: flow.map(([into]) => into) },
      { label: "Out", data: flow.map(([, out]) => out) },
      { label: "Net", data: flow.map(([into, out]) => cents(into + out)) },
    ],
  };
}

/** One balance that wanders, with a gap of three days and a day that stands alone in another. */
export function balanceSample(count = 120, gaps = true): ChartData {
  const steps = walk(42);
  let balance = 24_000;
  const data = Array.from({ length: count }, (_, i) => {
    balance = cents(balance + steps.next().value! * 12);
    const left = count - i;
    const missing = (left <= 12 && left >= 10) || left === 22 || left === 20;
    return gaps && missing ? null : balance;
  });
  return { labels: days(count), datasets: [{ label: "Balance", data }] };
}

/** Amounts by category. */
export function categorySample(): ChartData {
  return {
    labels: ["Certification", "Grants", "Memberships", "Training", "Other"],
    datasets: [{ label: "Income", data: [48_200, 21_750.5, 16_900, 9_300, 2_150.25] }],
  };
}

/** A minute's figure each, for as many minutes as asked. */
export function minutesSample(count: number): ChartData {
  const steps = walk(3);
  let level = 5_000;
  const labels: string[] = [];
  const data: number[] = [];
  for (let i = 0; i < count; i++) {
    labels.push(new Date(LAST_DAY - (count - 1 - i) * 60_000).toISOString());
    data.push(level = cents(level + steps.next().value! / 10));
  }
  return { labels, datasets: [{ label: "Load", data }] };
}

function cents(value: number): number {
  return Math.round(value * 100) / 100;
}
