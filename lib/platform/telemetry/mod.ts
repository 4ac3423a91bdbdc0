/**
 * Metrics, log lines and the ids of requests. Nothing here sees a path, a query or an address: what is
 * exported contains only names from fixed sets.
 *
 * @module
 */
export { createLog, type Log, type LogOptions } from "./log.ts";
export { type Count, createMetrics, type GaugeReading, type Metrics } from "./metrics.ts";
export { startTelemetry } from "./otel.ts";
export { countingFetch } from "./outcomes.ts";
export { PROMETHEUS_TYPE, prometheusText } from "./prometheus.ts";
export { createRequestScope, type RequestScope } from "./request_scope.ts";
export { fullName, METRICS, REQUESTS } from "./table.ts";
