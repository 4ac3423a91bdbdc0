/** The histogram of how long requests take, in a form that costs a request little. */
import type { MetricObjectWithValues, MetricValueWithName } from "prom-client";

/** The upper bounds of the buckets, in seconds. */
const BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The requests with the same labels. */
interface Series {
  /** The number of requests per bucket; the last one is for those above all bounds. */
  buckets: number[];
  sum: number;
}

/**
 * The histogram of requests. prom-client's histogram writes a key of all labels for each request, which
 * takes 0.5 µs, so it only gets the values when the metrics are collected.
 */
export class RequestDurations {
  readonly type = "histogram";
  readonly help = "Time until the headers of a response are sent.";
  /** The series by surface, route and the first digit of the status. */
  #series = new Map<string, Map<string, Series[]>>();

  constructor(readonly name: string) {}

  observe(surface: string, route: string, status: number, seconds: number): void {
    const series = this.#seriesOf(surface, route, Math.floor(status / 100));
    let bucket = 0;
    while (seconds > BOUNDS[bucket]) bucket++;
    series.buckets[bucket]++;
    series.sum += seconds;
  }

  #seriesOf(surface: string, route: string, digit: number): Series {
    let routes = this.#series.get(surface);
    if (routes === undefined) this.#series.set(surface, routes = new Map());
    let statuses = routes.get(route);
    if (statuses === undefined) routes.set(route, statuses = []);
    return statuses[digit] ??= { buckets: new Array(BOUNDS.length + 1).fill(0), sum: 0 };
  }

  /** Returns the values as a registry of prom-client reads them. */
  get(): Promise<MetricObjectWithValues<MetricValueWithName<string>>> {
    const { name, help, type } = this;
    const values: MetricValueWithName<string>[] = [];
    for (const [surface, routes] of this.#series) {
      for (const [route, statuses] of routes) {
        statuses.forEach(({ buckets, sum }, digit) => {
          const labels = { surface, route, status: `${digit}xx` };
          let value = 0;
          buckets.forEach((count, i) => {
            value += count;
            const le = BOUNDS[i] ?? "+Inf";
            values.push({ metricName: `${name}_bucket`, labels: { le, ...labels }, value });
          });
          values.push({ metricName: `${name}_sum`, labels, value: sum });
          values.push({ metricName: `${name}_count`, labels, value });
        });
      }
    }
    return Promise.resolve({ name, help, type, aggregator: "sum", values } as never);
  }
}
