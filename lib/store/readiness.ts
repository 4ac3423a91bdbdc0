import { inTime } from "../in_time.ts";

/** Whether this process can handle requests, and why not. */
export interface Readiness {
  status: "ready" | "not_ready";
  checks: {
    store: "ok" | "no_response" | "error";
    process: "running" | "stopping";
  };
}

export interface ReadinessCheck {
  /** Reads the store once. Calls at the same time share the read. */
  check(): Promise<Readiness>;
  /** Makes every later check fail, so that load balancers send no more requests. */
  stop(): void;
  readonly stopping: boolean;
}

const READ_LIMIT_MS = 1_000;

/** Creates the check that `/readyz` reports. */
export function createReadiness({ kv }: { kv: Deno.Kv }): ReadinessCheck {
  let stopping = false;
  let reading: Promise<Readiness["checks"]["store"]> | null = null;

  /** A read that hangs is not repeated until it ends. */
  function read(): Promise<Readiness["checks"]["store"]> {
    reading ??= kv.get(["store"]).then(() => "ok" as const, () => "error" as const)
      .finally(() => reading = null);
    return reading;
  }

  return {
    get stopping() {
      return stopping;
    },
    stop() {
      stopping = true;
    },
    async check() {
      const store = stopping ? "ok" : await inTime(read(), READ_LIMIT_MS) ?? "no_response";
      const ready = store === "ok" && !stopping;
      return {
        status: ready ? "ready" : "not_ready",
        checks: { store, process: stopping ? "stopping" : "running" },
      };
    },
  };
}
