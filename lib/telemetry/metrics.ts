import { type CounterName, type GaugeName, type LabelsOf, METRICS } from "./table.ts";
import { createRequestTimes, type RequestTimes } from "./request_times.ts";

/** The value of a metric for one combination of labels. */
export interface Sample {
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** The samples of a gauge. */
export interface GaugeReading {
  name: GaugeName;
  samples: Sample[];
}

/** Adds to a counter: 1, or a number. */
export type Count = <Name extends CounterName>(
  name: Name,
  labels: LabelsOf<Name>,
  by?: number,
) => void;

/** The counters of a process. */
export interface Metrics {
  count: Count;
  /** Durations of requests by surface, route and status. */
  requests: RequestTimes;
  counters(): { name: CounterName; samples: Sample[] }[];
}

/**
 * Creates the counters of a process. A counter whose labels have fixed values starts at 0, so that
 * its first increase is visible.
 *
 * @example
 * ```ts
 * const metrics = createMetrics();
 * metrics.count("mails", { outcome: "sent" });
 * ```
 */
export function createMetrics(): Metrics {
  const counters = new Map<CounterName, Map<string, { labels: Sample["labels"]; value: number }>>();
  for (const [name, { type, labels }] of Object.entries(METRICS)) {
    if (type !== "counter") continue;
    const series = new Map<string, { labels: Sample["labels"]; value: number }>();
    for (const each of combinations(labels)) {
      series.set(keyOf(each, labels), { labels: each, value: 0 });
    }
    counters.set(name as CounterName, series);
  }
  const count = (name: CounterName, labels: Sample["labels"], by = 1) => {
    const series = counters.get(name)!;
    const key = keyOf(labels, METRICS[name].labels);
    const one = series.get(key);
    if (one === undefined) series.set(key, { labels, value: by });
    else one.value += by;
  };
  return {
    count: count as Count,
    requests: createRequestTimes(),
    counters: () =>
      Array.from(counters, ([name, series]) => ({ name, samples: [...series.values()] })),
  };
}

function keyOf(labels: Sample["labels"], names: Record<string, unknown>): string {
  let key = "";
  for (const name in names) key += `${labels[name]}\0`;
  return key;
}

/** Returns all combinations of labels; none if a label has no fixed set of values. */
function combinations(
  labels: Readonly<Record<string, readonly string[] | null>>,
): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (all, [name, values]) =>
      all.flatMap((one) => (values ?? []).map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}
