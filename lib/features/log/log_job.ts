/** The job that adds waiting entries to the public log and publishes a signed checkpoint. */
import { SECOND_MS } from "../../base/time.ts";
import type { Job } from "../../platform/jobs/mod.ts";
import type { Publisher } from "./store/publish.ts";
import { logHalted } from "./store/tables.ts";
import { sequenceBatch } from "./store/sequence.ts";

export const LOG_JOB = "log";

/** How long a run adds entries before it signs. */
const SEQUENCE_MS = 5 * SECOND_MS;

/** After a crash, another process takes over once this and the grace of jobs are over. */
const MAX_MS = 20 * SECOND_MS;

/**
 * How long entries wait at most whose process does not start the job, because it has died, or serves no
 * trust surface.
 */
const EVERY_MS = 8 * SECOND_MS;

interface LogJobOptions {
  kv: Deno.Kv;
  publisher: Publisher;
  /**
   * Prepares the log before each run. It rejects if the log has moved to another name.
   *
   * @returns the name of the log if another site of development has it; then the run ends
   */
  begin(): Promise<string | null>;
  /** Adds the completion entry once the log is complete. */
  complete(): Promise<void>;
  monotonic: () => number;
}

/**
 * Creates the job that moves pending entries into the tree and publishes it. One process runs it at a
 * time; if two do, the checks of their commits let one of them win.
 */
export function createLogJob({ kv, publisher, begin, complete, monotonic }: LogJobOptions): Job {
  let isConfirmed = false;
  /** True if a witness failed to respond to the last checkpoint. */
  let isDoubtful = false;
  return {
    name: LOG_JOB,
    title: "Publishing the log",
    everyMs: EVERY_MS,
    maxMs: MAX_MS,
    async run({ signal }) {
      if ((await logHalted.get(kv)).value !== null) return "halted";
      const other = await begin();
      if (other !== null) return `the store's log is ${other}`;
      if (!isConfirmed || isDoubtful) {
        const state = await publisher.confirm();
        if (state !== "confirmed") return state;
        isConfirmed = true;
      }
      await complete();
      const end = monotonic() + SEQUENCE_MS;
      let added = 0;
      while (!signal.aborted && monotonic() < end) {
        const batch = await sequenceBatch(kv);
        if (!batch.ok && batch.reason === "halted") return "halted";
        if (!batch.ok) continue;
        added += batch.added;
        if (!batch.more) break;
      }
      if (signal.aborted) return `${added} added`;
      const { summary, failed } = await publisher.publish();
      isDoubtful = failed > 0;
      return `${added} added, ${summary}`;
    },
  };
}
