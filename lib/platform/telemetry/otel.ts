/** Exports the metrics with OpenTelemetry, if Deno's support for it is on. */
import type { TelemetryConfig } from "./variables.ts";
import type { Log } from "./log.ts";
import { type Metrics, REQUESTS } from "./metrics.ts";

/** The logs and metrics to export, and the settings of the export. */
interface Source {
  config: { telemetry: Pick<TelemetryConfig, "otel" | "spans"> };
  log: Log;
  metrics: Metrics;
}

/**
 * Exports the metrics if `OTEL_DENO` is `true`, and warns if spans are on. Deno reads its variables
 * before it runs any code, so the process cannot switch spans off itself.
 */
export function startTelemetry({ config, log, metrics }: Source): void {
  const { otel, spans } = config.telemetry;
  if (otel) exportMetrics(metrics);
  if (!spans) return;
  log({
    level: "warn",
    event: "spans_contain_secrets",
    message: "Deno exports spans with full URLs, which contain tokens. Set " +
      "OTEL_TRACES_SAMPLER=always_off, or remove them in the collector as in docs/ops/telemetry.md.",
  });
}

/** The part of the OpenTelemetry API that is used. Deno provides it when `OTEL_DENO` is `true`. */
interface Meter {
  createObservableCounter(name: string, options: { description: string }): Observable;
  createObservableGauge(name: string, options: { description: string }): Observable;
  addBatchObservableCallback(
    callback: (result: ObservableResult) => Promise<void>,
    observables: Observable[],
  ): void;
}
type Observable = object;
interface ObservableResult {
  observe(observable: Observable, value: number, labels?: Readonly<Record<string, string>>): void;
}

/**
 * Passes the metrics to OpenTelemetry whenever it exports, so that counting costs nothing more. For
 * requests, it gets the counts and sums, because Deno exports its own histogram. Its exporters append
 * `_total` to counters, as Prometheus does.
 */
function exportMetrics(metrics: Metrics): void {
  const meter: Meter = Deno.telemetry.meterProvider.getMeter("gatehouse");
  const observables = new Map<string, Observable>();
  for (const { name, type, help: description } of metrics.all) {
    const observable = type === "counter"
      ? meter.createObservableCounter(name.replace(/_total$/, ""), { description })
      : meter.createObservableGauge(name, { description });
    observables.set(name, observable);
  }
  for (const name of [`${REQUESTS}_count`, `${REQUESTS}_sum`]) {
    const description = "Requests by surface, route and status.";
    observables.set(name, meter.createObservableCounter(name, { description }));
  }
  meter.addBatchObservableCallback(async (result) => {
    for (const { name, values } of await (await metrics.collect()).getMetricsAsJSON()) {
      for (const { metricName = name, labels, value } of values as Value[]) {
        const observable = observables.get(metricName);
        if (observable !== undefined) result.observe(observable, value, labels);
      }
    }
  }, [...observables.values()]);
}

/** A value of a metric. The values of a histogram have the names of its parts. */
interface Value {
  metricName?: string;
  labels: Record<string, string>;
  value: number;
}
