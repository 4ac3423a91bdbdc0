import type { Step } from "./migration.ts";

/** The number of rows that one commit deletes: the store allows 1,000 mutations. */
const BATCH = 500;

/** Deletes all rows with a prefix that this version no longer uses. */
export const deleteStep = (kv: Deno.Kv, prefix: Deno.KvKey): Step => ({
  async batch() {
    const rows = await Array.fromAsync(kv.list({ prefix }, { limit: BATCH }));
    return {
      next: rows.length === BATCH ? "more" : null,
      addToCommit: (commit) => rows.forEach(({ key }) => commit.delete(key)),
    };
  },
});
