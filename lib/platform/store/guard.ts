/** Checks all the time that the store is the expected one and accepts writes, and otherwise refuses writes. */
import type { StoreConfig } from "./variables.ts";
import { ConfigError } from "../config/error.ts";
import type { Schedule } from "../../base/schedule.ts";
import { inTime } from "../../base/in_time.ts";
import {
  type DiskProblem,
  freeBytes,
  isFile,
  type ReadOnlyReason,
  type ReadOnlyState,
  rulesOf,
  type StoreRefusal,
  StoreRefusedError,
  StoreUnavailableError,
  type WriteProblem,
} from "../kv/mod.ts";
import { MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import {
  claimStore,
  proofOf,
  readMarker,
  STORE_KEY,
  storeIds,
  type StoreMarker,
  storeTable,
} from "./marker.ts";
import { formatOf, refusesFormat } from "./refuses_format.ts";
import { createWriteProbe } from "./write_probe.ts";

/**
 * The result of checking the store: `changed` if it is not the store that the process started with; `store_refused` or
 * `store_read_only` if its server refuses the process, or all writes.
 */
export type StoreState = "ok" | "no_response" | "error" | "changed" | StoreRefusal;

/** Watches that the process still works with the store that it started with, and may write to it. */
export interface StoreGuard {
  /** The store's id; null until the store is claimed, and for a store without a marker. */
  readonly id: string | null;
  /** Why writes are refused; null if they are allowed. */
  readonly readOnly: ReadOnlyState | null;
  /** Why the disk accepts no writes, as of the last check or write; null if it does. */
  readonly disk: DiskProblem | null;
  /**
   * Checks at the start that this is the expected store, and marks a new one.
   *
   * @param migrate brings the store to the current format; it may write to a restored copy
   * @throws {ConfigError} if it is another store, an empty one in production, or of a format that this build does
   * not open
   */
  claim(migrate?: () => Promise<unknown>): Promise<void>;
  /** Reads the store once. Calls at the same time share the read. */
  check(): Promise<StoreState>;
  /** Starts to check the store regularly. */
  start(): void;
  /** Stops checking. */
  close(): void;
}

export interface StoreGuardOptions {
  kv: Deno.Kv;
  clock: () => number;
  config: { store: StoreConfig; kvPath: string | undefined };
  /** The host of the trust surface, which signs the heads of chains. */
  publisher: string;
  schedule: Schedule;
  log: (entry: Record<string, unknown>) => void;
  /** Default: 1 second, because a load balancer gives up soon after that. */
  readLimitMs?: number;
}

const CHECK_MS = 10 * SECOND_MS;

/** The largest commit has 800 KiB. Smaller ones may still fit when the disk has less space than this. */
const MIN_FREE_BYTES = 1024 * 1024;

const EMPTY = "the store is empty. For a new installation, set it to 1 for the first start. " +
  "Otherwise KV_PATH names the wrong store or, on Deno Deploy, no database is assigned to the app";

/** Guards a store. From now on, it refuses writes while the guard has a reason to. */
export function createStoreGuard(
  { kv, clock, config: { store, kvPath }, publisher, schedule, log, readLimitMs = SECOND_MS }:
    StoreGuardOptions,
): StoreGuard {
  let id: string | null = null;
  /** The inode of the open file, which SQLite continues to use after it was moved or deleted. */
  let inode: number | null = null;
  let restored: StoreMarker["restored"];
  let changed = false;
  let reading: Promise<StoreState> | null = null;
  let cancel = () => {};
  let almostFull = false;
  /** The problem that the last failed write reported; null after a write that succeeded. */
  let failed: DiskProblem | null = null;
  let diskErrorLoggedAt = -Infinity;

  const readOnly = (): ReadOnlyState | null => {
    if (changed) return "store_changed";
    if (store.readOnly) return "configured";
    // A copy that signs for another host is another publisher, so its chains fork nothing.
    return restored !== undefined && restored.trust_host === publisher ? "restored" : null;
  };
  const rules = rulesOf(kv);
  const probe = createWriteProbe({
    tryToWrite: (signal) => rules.tryToWrite(signal),
    schedule,
    responds: async () => await check() === "ok",
    onChange(refusal) {
      log({ level: "error", event: refusal ?? "store_writable" });
    },
  });
  const refuses = (): ReadOnlyReason | null =>
    readOnly() ?? (probe.refusal === "disk_full" ? probe.refusal : null);
  const identifying = [storeTable.prefix, storeIds.prefix];
  Object.assign(rules, { readOnly: refuses, onWrite, identifying });
  rules.deadlines.onOverdue = (late) => {
    log({ level: "error", event: "store_overdue", ...late });
    if (rules.remote) probe.begin();
  };

  function onWrite(problem: WriteProblem | null): void {
    if (problem === null) probe.end();
    if (problem === "store_read_only") probe.begin();
    if (problem === "store_read_only" || problem === "store_refused") return;
    failed = problem;
    if (problem === null) return;
    const now = clock();
    if (now < diskErrorLoggedAt + MINUTE_MS) return;
    diskErrorLoggedAt = now;
    log({ level: "error", event: problem });
  }

  const isInPlace = async (): Promise<boolean> => inode === null || await inodeOf(kvPath) === inode;

  /** Takes note of the id that was found. Returns false if it is not that of the process's store. */
  function note(found: string | null): boolean {
    const isOther = id !== null && found !== id;
    if (isOther !== changed) {
      const event = isOther ? "store_changed" : "store_back";
      log({ level: "error", event, expected: id, found });
    }
    changed = isOther;
    return !changed;
  }

  /** Lets commits know the store, once it may be written to. */
  async function identify(): Promise<void> {
    if (id === null || rules.identity !== null || readOnly() !== null) return;
    let row: Deno.AtomicCheck = await proofOf(kv, id, clock());
    rules.identity = {
      get row() {
        return row;
      },
      note({ key, value, versionstamp }) {
        if (value !== null) row = { key, versionstamp };
        return note(value === null ? null : id);
      },
      isInPlace,
      get isOther() {
        return changed;
      },
    };
  }

  async function read(): Promise<StoreState> {
    try {
      const { value } = await kv.get<StoreMarker>(STORE_KEY);
      if (!note(await isInPlace() ? value?.id ?? null : null)) return "changed";
      restored = value?.restored;
      await identify();
      const free = await freeBytes(kvPath);
      almostFull = free !== undefined && free < MIN_FREE_BYTES;
      return probe.refusal === "store_read_only" ? probe.refusal : "ok";
    } catch (error) {
      if (error instanceof StoreRefusedError) return error.code;
      return error instanceof StoreUnavailableError ? "no_response" : "error";
    }
  }

  /** Several checks at the same time share one read. */
  async function check(): Promise<StoreState> {
    reading ??= rules.deadlines.within(readLimitMs, read).finally(() => reading = null);
    return await inTime(reading, readLimitMs) ?? "no_response";
  }

  function scheduleCheck(): void {
    cancel = schedule(() => void check().finally(scheduleCheck).catch(reportError), CHECK_MS);
  }

  return {
    get id() {
      return id;
    },
    get readOnly() {
      return readOnly();
    },
    get disk() {
      if (failed !== null) return failed;
      return almostFull || probe.refusal === "disk_full" ? "disk_full" : null;
    },
    async claim(migrate = () => Promise.resolve()) {
      inode = await inodeOf(kvPath);
      const refused = await refusesFormat(kv, kvPath);
      if (refused !== null) throw new ConfigError([`KV_PATH: ${refused}`]);
      let marker = await readMarker(kv);
      if (store.id !== null && marker?.id !== store.id) {
        const found = marker === null ? "has no id" : `has the id ${marker.id}`;
        throw new ConfigError([
          `STORE_ID: should be the store's id, but the store ${found}. Either STORE_ID or KV_PATH ` +
          "is wrong or, on Deno Deploy, another database is assigned to the app, or none",
        ]);
      }
      if (marker === null && !store.allowEmpty && await formatOf(kv) === null) {
        throw new ConfigError([`ALLOW_EMPTY_STORE: ${EMPTY}`]);
      }
      marker = await claimStore(kv, clock());
      id = marker.id;
      await migrate();
      restored = marker.restored;
      await identify();
      if (readOnly() === "restored") {
        log({ level: "warn", event: "restored_copy", copied_at: restored?.exported_at });
      }
    },
    check,
    start: scheduleCheck,
    close() {
      cancel();
      probe.close();
    },
  };
}

/** Returns what identifies the file at a path; null if there is none, or the system has no inodes. */
async function inodeOf(path: string | undefined): Promise<number | null> {
  if (!isFile(path)) return null;
  try {
    return (await Deno.stat(path)).ino;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
