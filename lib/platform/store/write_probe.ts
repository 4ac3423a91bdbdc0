import type { Schedule } from "../../base/schedule.ts";
import { MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import { commitTable, isoAfter, StoreRefusedError, type StoreRules } from "../kv/mod.ts";

/** Why a store whose reads work accepts no writes. */
type WriteRefusal = "disk_full" | "store_read_only";

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
  tryToSet: StoreRules["tryToSet"];
  clock: () => number;
  schedule: Schedule;
  /** Returns whether a read of the store works, which no write needs to be tried without. */
  responds(): Promise<boolean>;
  /** Called when the refusal has changed. */
  onChange(refusal: WriteRefusal | null): void;
}

/** How long a small write may take. */
const WRITE_MS = 2 * SECOND_MS;

/** How often a write is tried while none is accepted. */
const OFTEN_MS = 5 * SECOND_MS;
/** So many writes may have no response before they are tried less and less often. */
const FEW = 4;
/** How often a write is tried at least, because those that were lost with a connection may never end. */
const SELDOM_MS = 10 * MINUTE_MS;

/**
 * Returns how long to wait for the next write. The client itself repeats each one that has no response four times a
 * second until it has one, so many of them would flood the server, and its log.
 */
const waitMs = (pending: number): number =>
  Math.min(OFTEN_MS * 2 ** Math.max(0, pending - FEW), SELDOM_MS);

export function createWriteProbe(
  { tryToSet, clock, schedule, responds, onChange }: WriteProbeOptions,
): WriteProbe {
  let refusal: WriteRefusal | null = null;
  let asking = false;
  let closed = false;
  let cancel = () => {};
  let pending = 0;

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

  /** Writes a row that nobody reads, and that expires. */
  async function write(): Promise<void> {
    const row = { outcome: "abandoned", expires_at: isoAfter(clock(), MINUTE_MS) };
    pending++;
    try {
      await tryToSet(commitTable.key("probe"), row, { expireIn: MINUTE_MS });
      end();
    } catch (error) {
      if (error instanceof StoreRefusedError && error.code === "store_read_only") note(error.code);
    } finally {
      pending--;
    }
  }

  async function ask(): Promise<void> {
    if (closed) return;
    if (refusal === null && !await responds()) {
      asking = false; // the store itself does not respond, which others notice
      return;
    }
    if (closed) return;
    void write(); // it catches what the store says
    cancel = schedule(() => {
      if (!asking) return;
      if (refusal === null) note("disk_full");
      // It rejects only if `responds` does, which returns false instead.
      cancel = schedule(() => void ask(), waitMs(pending));
    }, WRITE_MS);
  }

  return {
    get refusal() {
      return refusal;
    },
    begin() {
      if (asking || closed) return;
      asking = true;
      void ask(); // see above
    },
    end() {
      if (refusal !== null) end();
    },
    close() {
      closed = true;
      cancel();
    },
  };
}
