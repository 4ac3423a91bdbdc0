import { addChanges, type DerivedCounters, whenUnlocked } from "../kv/mod.ts";
import type { Step } from "./step.ts";

/** What is counted before the progress is saved. */
export interface CountLimits {
  rows: number;
  /** How many counters one commit changes or deletes: the store allows 1,000 mutations. */
  counters: number;
}

const LIMITS: CountLimits = { rows: 5_000, counters: 900 };

/** Counts all rows again. The cursor is the key of the last row as JSON. */
export const countStep = <Row>(
  kv: Deno.Kv,
  derived: DerivedCounters<Row>,
  limits: CountLimits = LIMITS,
): Step => ({
  async begin(commit) {
    while (true) {
      const selector = { prefix: derived.counters };
      const old = await whenUnlocked(() =>
        Array.fromAsync(kv.list(selector, { limit: limits.counters, batchSize: 500 }))
      );
      if (old.length === 0) return;
      await commit((operation) => old.forEach(({ key }) => operation.delete(key)));
    }
  },
  batch: (cursor) =>
    whenUnlocked(async () => {
      const prefix = derived.rows;
      // The smallest key after that of the cursor, because `start` includes its key.
      const after = cursor === "" ? {} : { start: [...JSON.parse(cursor), new Uint8Array()] };
      const sums = new Map<string, bigint>();
      let [count, next] = [0, null as string | null];
      for await (const { key, value } of kv.list<Row>({ prefix, ...after }, { batchSize: 500 })) {
        for (const [counter, change] of derived.of(value, key)) {
          const id = JSON.stringify(counter);
          sums.set(id, (sums.get(id) ?? 0n) + change);
        }
        if (++count < limits.rows && sums.size < limits.counters) continue;
        next = JSON.stringify(key);
        break;
      }
      const changes = Array.from(sums, ([id, sum]) => [JSON.parse(id), sum] as const);
      return { count, next, addToCommit: (commit) => addChanges(commit, changes) };
    }),
});
