/** Moves the public log to another host, or begins it again there. */
import { eachOf } from "../../../base/slots.ts";
import type { TableDescription } from "../../../platform/kv/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import {
  EMPTY_ROOT,
  eventEntry,
  formatVerifierKey,
  type LinkedEvent,
  type NoteSigner,
} from "../../../../packages/proof/mod.ts";
import { chainEvents, heads } from "../../chain/mod.ts";
import { type Anchor, anchorOf } from "./anchor.ts";
import { extendsAnchored } from "./tree.ts";
import { halt } from "./halt.ts";
import { LANES, putPending } from "./pending.ts";
import {
  logBundles,
  logChains,
  logCheckpoint,
  logCheckpoints,
  logDays,
  logHalted,
  logIndex,
  logKeySets,
  logOrigin,
  logPending,
  logPrevious,
  logState,
  logTiles,
  logWitnesses,
} from "./tables.ts";

interface MoveOptions {
  kv: Deno.Kv;
  clock: () => number;
  /** The name of the log from now on. */
  origin: string;
  anchor?: Anchor | undefined;
  /** The keys of the log until now, with its old name. */
  signers(origin: string): Promise<readonly NoteSigner[]>;
}

type Moved =
  | { ok: true; from: string; size: number }
  | Failure<"log_not_begun" | "log_here" | "log_halted" | "log_changed">;

/** The name of this command in the row of a halted log. */
const MOVE = "log:move";

/**
 * Moves the log to another trust host. Its entries stay as they are, because they do not contain the host, so
 * the new log's first checkpoint is consistent with the old one's last. The old name, keys and last
 * checkpoint stay available at `/log/previous`.
 */
export async function moveLog(
  { kv, clock, origin, signers, anchor }: MoveOptions,
): Promise<Moved> {
  const [entry, halted] = await Promise.all([logOrigin.get(kv), logHalted.get(kv)]);
  const refused = refusal(entry.value?.origin, origin);
  if (refused !== null) return refused;
  const anchored = await anchor?.read() ?? null;
  if (halted.value !== null || anchored !== null && !await extendsAnchored(kv, anchored)) {
    // Under the new name, it could be neither recovered, because copies have the old one, nor begin again.
    return fail("log_halted", {
      message:
        "The log is halted, or lacks entries that LOG_ANCHOR knows. Run deno task log:recover with the old " +
        "trust host first, or begin an empty log with deno task log:move --empty.",
    });
  }
  const from = entry.value!.origin;
  const [{ value: last }, keys] = await Promise.all([logCheckpoint.get(kv), signers(from)]);
  // Both have the old name, and the new log begins without them.
  await clear(kv, [logCheckpoints, logWitnesses]);
  const now = new Date(clock()).toISOString();
  const commit = kv.atomic().check(halted);
  logOrigin.replace(commit, entry, { origin, begun_at: now });
  logPrevious.put(commit, [], {
    origin: from,
    keys: keys.map(({ key }) => formatVerifierKey(key)),
    checkpoint: last?.text ?? "",
    moved_at: now,
  });
  commit.delete(logCheckpoint.key());
  if (!(await commit.commit()).ok) return changed();
  return { ok: true, from, size: last?.size ?? 0 };
}

/**
 * Begins an empty log under another trust host, because something of the old one is lost. Every chain is added
 * to it again, with its salt. The log is halted until it is complete: otherwise a site with the old trust host
 * would sign a part of it under the old name after an attempt that was interrupted.
 *
 * @param addOthers adds what higher features log: the statements about documents
 */
export async function beginAgain(
  { kv, clock, origin, anchor }: Omit<MoveOptions, "signers">,
  addOthers: () => Promise<void>,
): Promise<Moved> {
  const entry = await logOrigin.get(kv);
  const refused = refusal(entry.value?.origin, origin);
  if (refused !== null) return refused;
  const from = entry.value!.origin;
  const at = new Date(clock()).toISOString();
  await halt(kv, { by: MOVE, at, checkpoint: "", response: "" });
  const tables = [
    logCheckpoints,
    logDays,
    logWitnesses,
    logTiles,
    logBundles,
    logIndex,
    logPending,
    logKeySets,
  ];
  await clear(kv, tables);
  const cleared = kv.atomic();
  for (const table of [logCheckpoint, logState, logPrevious]) {
    cleared.delete([table.prefix]);
  }
  await cleared.commit();
  let size = 0;
  await eachOf(heads.list(kv, []), async ({ key: [, hash], value: head }) => {
    await addSizes(kv, String(hash), head.size, clock());
    size += head.size;
  });
  await addOthers();
  // It has the size of the old log, which the new one would seem to be behind.
  await anchor?.write(anchorOf(0, EMPTY_ROOT));
  // At the end, so that an attempt that was interrupted begins again.
  const commit = kv.atomic().delete(logHalted.key());
  logOrigin.replace(commit, entry, { origin, begun_at: at });
  if (!(await commit.commit()).ok) return changed();
  return { ok: true, from, size };
}

/** The most sizes of a chain in one commit. */
const SIZES = 200;

/** Adds an entry for each size of a chain, with its salt. */
async function addSizes(kv: Deno.Kv, record: string, size: number, now: number): Promise<void> {
  const { value: chain } = await logChains.get(kv, record);
  if (chain === null) return; // its salt was lost, so the chain stays closed
  for (let from = 0; from < size; from += SIZES) {
    const selector = {
      start: chainEvents.key(record, from),
      end: chainEvents.key(record, Math.min(size, from + SIZES)),
    };
    const entries = await Array.fromAsync(
      kv.list<LinkedEvent>(selector, { batchSize: SIZES }),
      ({ value: { seq, hash: tip } }) => eventEntry({ record, size: seq + 1, tip, ...chain }),
    );
    // A damaged chain, which the nightly check reports, is not claimed to be logged.
    if (entries.length < Math.min(size - from, SIZES)) return;
    const commit = kv.atomic();
    putPending(commit, entries, LANES.again, now);
    await commit.commit();
  }
}

const changed = () =>
  fail("log_changed", {
    message: "Another process has just moved the log. Run the command again.",
  });

function refusal(
  stored: string | undefined,
  origin: string,
): Failure<"log_not_begun" | "log_here"> | null {
  if (stored === undefined) return fail("log_not_begun", { message: "The store has no log yet." });
  return stored === origin ? fail("log_here", { message: `The log is ${origin} already.` }) : null;
}

async function clear(
  kv: Deno.Kv,
  tables: readonly Pick<TableDescription, "prefix" | "indexes">[],
): Promise<void> {
  for (const prefix of tables.flatMap(({ prefix, indexes }) => [prefix, ...indexes])) {
    await eachOf(kv.list({ prefix: [prefix] }), ({ key }) => kv.delete(key));
  }
}
