/**
 * Metrics, log lines and the ids of requests. Nothing here reads a path, a query or an address: what is
 * exported contains only names from fixed sets.
 *
 * @module
 */
export { createLog, logLines, type LogOptions } from "./log.ts";
export * from "./metric.ts";
export { type Count, createMetrics, type Metrics, REQUESTS } from "./metrics.ts";
export { startTelemetry } from "./otel.ts";
export { PROCESS_METRICS, processGauges } from "./process_gauges.ts";
export { createRequestScope, type RequestScope } from "./request_scope.ts";
