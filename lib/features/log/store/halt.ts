import { transact } from "../../../platform/kv/mod.ts";
import { type HaltedRow, logHalted } from "./tables.ts";

/**
 * Stops sequencing, signing and appends, because somebody has seen a tree that the store's does not extend.
 * The first reason is kept.
 */
export const halt = (kv: Deno.Kv, row: HaltedRow): Promise<void> =>
  transact(async () => {
    const entry = await logHalted.get(kv);
    if (entry.value !== null) return { result: undefined };
    const commit = kv.atomic();
    logHalted.replace(commit, entry, row);
    return { result: undefined, commit };
  });
