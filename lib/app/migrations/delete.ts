import { whenUnlocked } from "../../platform/kv/mod.ts";
import type { Step } from "./step.ts";

/** The number of rows that one commit deletes: the store allows 1,000 mutations. */
const BATCH = 500;

/** Deletes all rows with a prefix that this version no longer uses. */
export const deleteStep = (kv: Deno.Kv, prefix: Deno.KvKey): Step => ({
  async batch() {
    const rows = await whenUnlocked(() => Array.fromAsync(kv.list({ prefix }, { limit: BATCH })));
    return {
      count: rows.length,
      next: rows.length === BATCH ? "more" : null,
      addToCommit: (commit) => rows.forEach(({ key }) => commit.delete(key)),
    };
  },
});
