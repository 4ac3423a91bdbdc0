/** Invented data for charts, the same every time, for tests and the development gallery. */
import { DAY_MS, dayOf, MINUTE_MS } from "../../base/time.ts";
import type { ChartData } from "./data.ts";

const LAST_DAY = Date.UTC(2026, 2, 31);

/** Generates the same pseudo-random numbers every time, from -100 to 100, with two decimals. */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed;;) {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    yield Math.round((state / 2 ** 32 - 0.5) * 20_000) / 100;
  }
}

function days(count: number): string[] {
  return Array.from({ length: count }, (_, i) => dayOf(LAST_DAY - (count - 1 - i) * DAY_MS));
}

/** Returns money in, out and net per day until 31 March 2026. */
export function flowSample(count = 400): ChartData {
  const random = randomNumbers(7);
  const labels = days(count);
  const flow = labels.map((day) => {
    const [first, second] = [random.next().value, random.next().value];
    const weekend = [0, 6].includes(new Date(day).getUTCDay());
    return weekend ? [0, 0] : [1_200 + first * 6, -(900 + second * 5)].map(roundToCents);
  });
  return {
    labels,
    datasets: [
      { label: "In", data: flow.map(([into]) => into) },
      { label: "Out", data: flow.map(([, out]) => out) },
      { label: "Net", data: flow.map(([into, out]) => roundToCents(into + out)) },
    ],
  };
}

/** Returns a balance per day with a gap of three days, and a single day between two gaps. */
export function balanceSample(count = 120): ChartData {
  const random = randomNumbers(42);
  let balance = 24_000;
  const data = Array.from({ length: count }, (_, i) => {
    balance = roundToCents(balance + random.next().value * 12);
    const left = count - i;
    const missing = (left <= 12 && left >= 10) || left === 22 || left === 20;
    return missing ? null : balance;
  });
  return { labels: days(count), datasets: [{ label: "Balance", data }] };
}

export function categorySample(): ChartData {
  return {
    labels: ["Certification", "Grants", "Memberships", "Training", "Other"],
    datasets: [{ label: "Income", data: [48_200, 21_750.5, 16_900, 9_300, 2_150.25] }],
  };
}

export function minutesSample(count: number): ChartData {
  const random = randomNumbers(3);
  let level = 5_000;
  const labels: string[] = [];
  const data: number[] = [];
  for (let i = 0; i < count; i++) {
    labels.push(new Date(LAST_DAY - (count - 1 - i) * MINUTE_MS).toISOString());
    data.push(level = roundToCents(level + random.next().value / 10));
  }
  return { labels, datasets: [{ label: "Load", data }] };
}

function roundToCents(value: number): number {
  return Math.round(value * 100) / 100;
}
