/** Asks a remote store whether it accepts writes, after some had no response. */
import type { Schedule } from "../../base/schedule.ts";
import { SECOND_MS } from "../../base/time.ts";
import type { WriteProblem } from "../kv/mod.ts";

/** Why a store whose reads work accepts no writes. */
export type WriteRefusal = "disk_full" | "store_read_only";

/**
 * Finds out whether a store over a network accepts writes. Deno's client repeats a call that the server cannot do, for
 * example because its disk is full, and says nothing about it: such a write just has no response.
 */
interface WriteProbe {
  /** Why writes are refused; null if they are accepted, or nobody has asked. */
  readonly refusal: WriteRefusal | null;
  /** Asks after a write that had no response or was refused, unless that is being found out. */
  begin(): void;
  /** Takes note of a write that was accepted. */
  end(): void;
  close(): void;
}

interface WriteProbeOptions {
  /** Asks the server, and returns null if it accepts writes. Rejects if that is not known, such as for a slow one. */
  tryToWrite: (signal: AbortSignal) => Promise<WriteProblem | null>;
  schedule: Schedule;
  /** Returns whether a read of the store works, which no write needs to be tried without. */
  responds(): Promise<boolean>;
  /** Called when the refusal has changed. */
  onChange(refusal: WriteRefusal | null): void;
}

/** How long the server has for its response. */
const WRITE_MS = 2 * SECOND_MS;

/** How often it is asked while it accepts no writes. */
const OFTEN_MS = 5 * SECOND_MS;

export function createWriteProbe(
  { tryToWrite, schedule, responds, onChange }: WriteProbeOptions,
): WriteProbe {
  let refusal: WriteRefusal | null = null;
  let asking = false;
  let cancel = () => {};
  const closed = new AbortController();

  function note(changed: WriteRefusal | null): void {
    if (changed === refusal) return;
    refusal = changed;
    onChange(refusal);
  }

  function end(): void {
    cancel();
    asking = false;
    note(null);
  }

  /** Returns why the server accepts no writes, null if it does, and undefined if that is not known. */
  async function find(): Promise<WriteRefusal | null | undefined> {
    // Others notice that the store itself does not respond.
    if (refusal === null && !await responds()) return undefined;
    const late = new AbortController();
    const cancelLate = schedule(() => late.abort(), WRITE_MS);
    try {
      const problem = await tryToWrite(AbortSignal.any([late.signal, closed.signal]));
      return problem === null || problem === "disk_full" || problem === "store_read_only"
        ? problem
        : undefined;
    } catch {
      return undefined;
    } finally {
      cancelLate();
    }
  }

  async function ask(): Promise<void> {
    const found = await find();
    if (!asking || closed.signal.aborted) return;
    if (found === null || found === undefined && refusal === null) return end();
    if (found !== undefined) note(found);
    // It rejects only if `responds` does, which returns false instead.
    cancel = schedule(() => void ask(), OFTEN_MS);
  }

  return {
    get refusal() {
      return refusal;
    },
    begin() {
      if (asking || closed.signal.aborted) return;
      asking = true;
      void ask(); // see above
    },
    end() {
      if (refusal !== null) end();
    },
    close() {
      closed.abort();
      cancel();
    },
  };
}
