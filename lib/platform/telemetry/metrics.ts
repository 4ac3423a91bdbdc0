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
  const counters = new Map<CounterName, Series>();
  for (const [name, { type, labels }] of Object.entries(METRICS)) {
    if (type !== "counter") continue;
    const series: Series = { names: Object.keys(labels), root: new Map(), samples: [] };
    for (const each of combinations(labels)) sampleOf(series, each);
    counters.set(name as CounterName, series);
  }
  const count = (name: CounterName, labels: Sample["labels"], by = 1) => {
    sampleOf(counters.get(name)!, labels).value += by;
  };
  return {
    count: count as Count,
    requests: createRequestTimes(),
    counters: () => Array.from(counters, ([name, { samples }]) => ({ name, samples })),
  };
}

/** The samples of a counter by the values of its labels: one level for each label. */
interface Series {
  names: string[];
  root: Level;
  samples: Sample[];
}

type Level = Map<string, Level | Sample>;

/** Returns the sample for some labels. Joining them to one key would take several times as long. */
function sampleOf({ names, root, samples }: Series, labels: Sample["labels"]): Sample {
  let level = root;
  const last = names.length - 1;
  for (let i = 0; i < last; i++) {
    const value = labels[names[i]];
    let next = level.get(value) as Level | undefined;
    if (next === undefined) level.set(value, next = new Map());
    level = next;
  }
  const value = labels[names[last]];
  let sample = level.get(value) as Sample | undefined;
  if (sample === undefined) {
    level.set(value, sample = { labels, value: 0 });
    samples.push(sample);
  }
  return sample;
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
