import { eachOf } from "../../../base/slots.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { formatVerifierKey, type NoteSigner } from "../note.ts";
import { heads } from "../../chain/store/mod.ts";
import { fill } from "./backfill.ts";
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

export interface MoveOptions {
  kv: Deno.Kv;
  clock: () => number;
  /** The name of the log from now on. */
  origin: string;
  /** The keys of the log until now, with its old name. */
  signers(origin: string): Promise<readonly NoteSigner[]>;
}

export type Moved =
  | { ok: true; from: string; size: number }
  | Failure<"log_not_begun" | "log_here">;

/**
 * Moves the log to another trust host. Its entries stay as they are, because they do not contain the host, so
 * the new log's first checkpoint is consistent with the old one's last. The old name, keys and last
 * checkpoint stay available at `/log/previous`.
 */
export async function moveLog({ kv, clock, origin, signers }: MoveOptions): Promise<Moved> {
  const entry = await logOrigin.get(kv);
  const refused = refusal(entry.value?.origin, origin);
  if (refused !== null) return refused;
  const from = entry.value!.origin;
  const [{ value: last }, keys] = await Promise.all([logCheckpoint.get(kv), signers(from)]);
  // Both have the old name, and the new log begins without them.
  await clear(kv, [logCheckpoints.prefix, logWitnesses.prefix]);
  const now = new Date(clock()).toISOString();
  const commit = kv.atomic();
  logOrigin.replace(commit, entry, { origin, begun_at: now });
  logPrevious.put(commit, [], {
    origin: from,
    keys: keys.map(({ key }) => formatVerifierKey(key)),
    checkpoint: last?.text ?? "",
    moved_at: now,
  });
  commit.delete(logCheckpoint.key());
  await commit.commit();
  return { ok: true, from, size: last?.size ?? 0 };
}

/**
 * Begins an empty log under another trust host, because something of the old one is lost. Every chain is added
 * to it again, with its salt.
 *
 * @param addOthers adds what higher features log
 */
export async function beginAgain(
  { kv, clock, origin }: Omit<MoveOptions, "signers">,
  addOthers: () => Promise<void>,
): Promise<Moved> {
  const entry = await logOrigin.get(kv);
  const refused = refusal(entry.value?.origin, origin);
  if (refused !== null) return refused;
  const from = entry.value!.origin;
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
  await clear(kv, tables.map(({ prefix }) => prefix));
  const cleared = kv.atomic();
  for (const table of [logCheckpoint, logState, logHalted, logPrevious]) {
    cleared.delete([table.prefix]);
  }
  await cleared.commit();
  let size = 0;
  await eachOf(heads.list(kv, []), async ({ key: [, hash], value: head }) => {
    const record = String(hash);
    const { value: chain } = await logChains.get(kv, record);
    if (chain !== null) {
      await kv.set(logChains.key(record), { ...chain, live_from: head.size + 1, filled: 0 });
    }
    while (await fill(kv, record, clock()));
    size += head.size;
  });
  await addOthers();
  // At the end, so that an attempt that was interrupted begins again.
  const commit = kv.atomic();
  logOrigin.replace(commit, entry, { origin, begun_at: new Date(clock()).toISOString() });
  await commit.commit();
  return { ok: true, from, size };
}

function refusal(
  stored: string | undefined,
  origin: string,
): Failure<"log_not_begun" | "log_here"> | null {
  if (stored === undefined) return fail("log_not_begun", { message: "The store has no log yet." });
  return stored === origin ? fail("log_here", { message: `The log is ${origin} already.` }) : null;
}

async function clear(kv: Deno.Kv, prefixes: readonly string[]): Promise<void> {
  for (const prefix of prefixes) {
    await eachOf(kv.list({ prefix: [prefix] }), ({ key }) => kv.delete(key));
  }
}
