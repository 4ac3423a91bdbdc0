/** Decides whether the process is ready to serve, for `/readyz`. */
import type { DiskProblem } from "../../platform/kv/mod.ts";
import type { StoreGuard, StoreState } from "./guard.ts";

/** The readiness of this process to handle requests, with the reason if it is not ready. */
export interface Readiness {
  /** `read_only` if it can handle reads, but not writes. */
  status: "ready" | "read_only" | "not_ready";
  checks: {
    store: StoreState | DiskProblem;
    process: "running" | "stopping";
  };
}

/** The check behind `/readyz`. */
export interface ReadinessCheck {
  /** Checks the store with one read. */
  check(): Promise<Readiness>;
  /** Makes every later check fail, so that load balancers send no more requests. */
  drain(): void;
  /** Does the same, and refuses the requests that still arrive. */
  stop(): void;
  readonly stopping: boolean;
}

/** Creates the check that `/readyz` reports. */
export function createReadiness(
  guard: Pick<StoreGuard, "check" | "readOnly" | "disk">,
): ReadinessCheck {
  let draining = false;
  let stopping = false;
  return {
    get stopping() {
      return stopping;
    },
    drain() {
      draining = true;
    },
    stop() {
      stopping = true;
    },
    async check() {
      const ending = draining || stopping;
      const process = ending ? "stopping" : "running";
      // The store may be closed already.
      const store = ending ? "ok" : await guard.check();
      if (ending || store !== "ok") return { status: "not_ready", checks: { store, process } };
      const { readOnly, disk } = guard;
      const status = readOnly === null && disk === null ? "ready" : "read_only";
      return { status, checks: { store: disk ?? store, process } };
    },
  };
}
