import { encodeHex } from "../../../base/bytes.ts";
import { completionEntry } from "../../../../packages/proof/mod.ts";
import { LANES, putPending } from "./pending.ts";
import { logIndex, logPending } from "./tables.ts";

/**
 * Adds the entry that says that the log is complete: at its beginning or, if it begins again, once it has all
 * entries of the earlier log, so that its index is above theirs.
 */
export async function completeLog(kv: Deno.Kv): Promise<void> {
  const entry = completionEntry();
  const logged = await logIndex.get(kv, encodeHex(entry.slot));
  if (logged.value !== null) return;
  const left = await Array.fromAsync(logPending.list(kv, [LANES.again], { limit: 1 }));
  if (left.length > 0) return;
  const commit = kv.atomic().check(logged);
  // Always at the same key, so that two processes add one row.
  putPending(commit, [entry], LANES.again, 0);
  await commit.commit();
}
