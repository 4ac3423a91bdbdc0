import type { TelemetryConfig } from "./variables.ts";
import type { Log } from "./log.ts";
import type { GaugeReading, Metrics } from "./metrics.ts";
import { type CounterName, fullName, type GaugeName, METRICS, REQUESTS } from "./table.ts";

/** The logs and metrics to export, and the settings of the export. */
interface Source {
  config: { telemetry: Pick<TelemetryConfig, "otel" | "spans"> };
  log: Log;
  metrics: Metrics;
  readGauges: () => Promise<GaugeReading[]>;
}

/**
 * Exports the metrics if `OTEL_DENO` is `true`, and warns if spans are on. Deno reads its variables
 * before it runs any code, so the process cannot switch spans off itself.
 */
export function startTelemetry({ config, log, metrics, readGauges }: Source): void {
  const { otel, spans } = config.telemetry;
  if (otel) exportMetrics(metrics, readGauges);
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
 * Passes the metrics to OpenTelemetry whenever it exports, so that counting costs nothing more. Of
 * requests it gets the counts and sums, because Deno exports its own histogram. Its exporters append
 * `_total` to counters, as Prometheus does.
 */
function exportMetrics(
  metrics: Metrics,
  readGauges: () => Promise<GaugeReading[]>,
  meter: Meter = Deno.telemetry.meterProvider.getMeter("gatehouse"),
): void {
  const observables = new Map<string, Observable>();
  for (const [name, { type, help: description }] of Object.entries(METRICS)) {
    const full = fullName(name as CounterName | GaugeName).replace(/_total$/, "");
    const observable = type === "counter"
      ? meter.createObservableCounter(full, { description })
      : meter.createObservableGauge(full, { description });
    observables.set(name, observable);
  }
  const description = "Requests by surface, route and status.";
  const requests = meter.createObservableCounter(`${REQUESTS}_count`, { description });
  const seconds = meter.createObservableCounter(`${REQUESTS}_sum`, { description });
  meter.addBatchObservableCallback(async (result) => {
    for (const { name, samples } of [...metrics.counters(), ...await readGauges()]) {
      for (const { labels, value } of samples) {
        result.observe(observables.get(name)!, value, labels);
      }
    }
    for (const { surface, route, status, buckets, seconds: sum } of metrics.requests.rows()) {
      const labels = { surface, route, status };
      result.observe(requests, buckets.reduce((all, each) => all + each), labels);
      result.observe(seconds, sum, labels);
    }
  }, [...observables.values(), requests, seconds]);
}
