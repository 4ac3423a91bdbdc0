/** The registry of all counters and gauges, which `/metrics` prints. */
import { Counter as PromCounter, Gauge as PromGauge, type Histogram, Registry } from "prom-client";
import { inTime } from "../../base/in_time.ts";
import { type Schedule, scheduleTimeout } from "../../base/schedule.ts";
import { SECOND_MS } from "../../base/time.ts";
import { RequestDurations } from "./durations.ts";
import {
  type Counter,
  gauge,
  type LabelsOf,
  type Metric,
  type ReadGauges,
  sample,
} from "./metric.ts";

/** Adds to a counter: 1, or a number. */
export type Count = <Labels extends Counter["labels"]>(
  counter: Counter<Labels>,
  labels: LabelsOf<Labels>,
  by?: number,
) => void;

/** The histogram of requests. */
export const REQUESTS = "gatehouse_request_duration_seconds";

const gaugesMissing = gauge(
  "gauges_missing",
  "Gauges that could not be read within a second.",
  {},
);

/** The metrics of a process. */
export interface Metrics {
  /** Adds metrics. A counter whose labels have fixed values starts at 0, so that its first increase is visible. */
  register(metrics: readonly Metric[]): void;
  /** Adds functions that read gauges whenever the metrics are collected. */
  read(gauges: readonly ReadGauges[]): void;
  /** Counts a registered counter. */
  count: Count;
  requests: {
    /**
     * Counts a request and how long it took until its headers were sent.
     *
     * @param route the pattern of the route, never the requested path; null for static files and
     * paths without a route
     */
    observe(surface: string, route: string | null, status: number, seconds: number): void;
  };
  /** The registered metrics, without the histogram of requests. */
  readonly all: Iterable<Metric>;
  /**
   * Returns all metrics with their values. Gauges that cannot be read in time are left out, and their
   * groups are counted. Callers at the same time share one reading.
   */
  collect(): Promise<Registry>;
}

/**
 * Creates the metrics of a process.
 *
 * @param schedule starts the timers that limit how long gauges are read
 */
export function createMetrics(schedule: Schedule = scheduleTimeout): Metrics {
  const counted = new Registry();
  const all = new Set<Metric>();
  const counters = new Map<Metric, PromCounter>();
  const groups: ReadGauges[] = [];
  const durations = new RequestDurations(REQUESTS);
  counted.registerMetric(durations as unknown as Histogram);
  let collecting: Promise<Registry> | undefined;

  async function collect(): Promise<Registry> {
    const read = await Promise.all(
      groups.map((group) => inTime(Promise.try(group).catch(() => null), SECOND_MS, schedule)),
    );
    const missing = read.filter((samples) => !samples).length;
    const samples = [...read.flatMap((group) => group || []), sample(gaugesMissing, missing, {})];
    // Gauges that are missing now must not keep the value that they had before.
    const gauges = new Registry();
    for (const { name, help, type, labels } of all) {
      if (type === "counter") continue;
      const own = samples.filter(({ gauge }) => gauge.name === name);
      if (own.length === 0) continue;
      const gauge = new PromGauge({ name, help, labelNames: Object.keys(labels), registers: [] });
      for (const { labels, value } of own) gauge.set(labels, value);
      gauges.registerMetric(gauge);
    }
    return Registry.merge([counted, gauges]);
  }

  const metrics: Metrics = {
    register(added) {
      for (const metric of added) {
        if (all.has(metric)) continue;
        all.add(metric);
        if (metric.type === "gauge") continue;
        const { name, help, labels } = metric;
        const labelNames = Object.keys(labels);
        const counter = new PromCounter({ name, help, labelNames, registers: [counted] });
        for (const each of combinations(labels)) counter.inc(each, 0);
        counters.set(metric, counter);
      }
    },
    read: (added) => void groups.push(...added),
    count: (counter, labels, by = 1) => counters.get(counter)!.inc(labels, by),
    requests: {
      observe: (surface, route, status, seconds) =>
        durations.observe(surface, route ?? "none", status, seconds),
    },
    all,
    collect: () => collecting ??= collect().finally(() => collecting = undefined),
  };
  metrics.register([gaugesMissing]);
  return metrics;
}

/** Returns all combinations of labels; none if a label has no fixed set of values. */
function combinations(labels: Counter["labels"]): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (all, [name, values]) =>
      all.flatMap((one) => (values ?? []).map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}
