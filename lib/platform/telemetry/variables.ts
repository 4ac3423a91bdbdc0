/** The environment variables for logs, metrics and OpenTelemetry. */
import { z } from "zod";
import { headerSecret, text } from "../config/fields.ts";
import { secret } from "../config/secret_files.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = typeof LOG_LEVELS[number];

export interface TelemetryConfig {
  logLevel: LogLevel;
  /** The bearer token of `/metrics`; undefined if there is no such path. */
  metricsToken?: string;
  /** True if Deno exports metrics and logs with OpenTelemetry. */
  otel: boolean;
  /** True if Deno also exports spans, which contain full URLs. */
  spans: boolean;
}

export const telemetryVariables = {
  LOG_LEVEL: z.enum(LOG_LEVELS, "debug, info, warn or error").default("info"),
  METRICS_TOKEN: secret(
    headerSecret("at least 16 visible ASCII characters")
      .min(16, "at least 16 visible ASCII characters").optional(),
  ),
  // Deno understands no other values, and ignores them silently.
  OTEL_DENO: z.enum(["true", "false"], "true or false").default("false"),
  OTEL_TRACES_SAMPLER: text.optional(),
};

export function telemetryConfig(
  values: {
    LOG_LEVEL: LogLevel;
    METRICS_TOKEN?: string;
    OTEL_DENO: "true" | "false";
    OTEL_TRACES_SAMPLER?: string;
  },
): TelemetryConfig {
  const otel = values.OTEL_DENO === "true";
  return {
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN,
    otel,
    spans: otel && values.OTEL_TRACES_SAMPLER !== "always_off",
  };
}
