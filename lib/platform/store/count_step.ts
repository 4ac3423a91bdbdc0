import type { DerivedCounters } from "../kv/mod.ts";
import type { AddToCommit, Step } from "./migration.ts";

/** The numbers of rows and counters after which the progress is saved. */
export interface CountLimits {
  rows: number;
  /** How many counters one commit changes or deletes: the store allows 1,000 mutations. */
  counters: number;
}

const LIMITS: CountLimits = { rows: 5_000, counters: 900 };
/** How many wrong counters the first batch replaces. */
const REPLACED = 50;

/** Counts all rows again. The cursor is the key of the last row as JSON. */
export function countStep<Row>(
  kv: Deno.Kv,
  { rows: prefix, counters, of }: DerivedCounters<Row>,
  limits: CountLimits = LIMITS,
): Step {
  async function readOld(limit: number): Promise<Deno.KvKey[]> {
    const keys: Deno.KvKey[] = [];
    for (const prefix of counters) {
      const found = kv.list({ prefix }, { limit: limit - keys.length, batchSize: 500 });
      for await (const { key } of found) keys.push(key);
      if (keys.length === limit) break;
    }
    return keys;
  }

  /** Returns the sums of a batch by the counter's key as JSON. */
  async function countBatch(cursor: string) {
    // This is the smallest key after that of the cursor, because `start` includes its key.
    const after = cursor === "" ? {} : { start: [...JSON.parse(cursor), new Uint8Array()] };
    const sums = new Map<string, bigint>();
    let [count, next] = [0, null as string | null];
    for await (const { key, value } of kv.list<Row>({ prefix, ...after }, { batchSize: 500 })) {
      for (const [counter, change] of of(value, key)) {
        const id = JSON.stringify(counter);
        sums.set(id, (sums.get(id) ?? 0n) + change);
      }
      if (++count < limits.rows && sums.size < limits.counters) continue;
      next = JSON.stringify(key);
      break;
    }
    return { next, sums };
  }

  /** The first batch replaces the counters that are left. */
  function writeSums(sums: Map<string, bigint>, old: Deno.KvKey[] | null): AddToCommit | undefined {
    const changes = Array.from(sums, ([id, sum]) => [JSON.parse(id) as Deno.KvKey, sum] as const);
    if (old === null) return (commit) => changes.forEach(([key, sum]) => commit.sum(key, sum));
    const wrong = old.filter((key) => !sums.has(JSON.stringify(key)));
    if (changes.length + wrong.length === 0) return undefined;
    return (commit) => {
      for (const key of wrong) commit.delete(key);
      for (const [key, sum] of changes) commit.set(key, new Deno.KvU64(sum));
    };
  }

  return {
    async begin(commit) {
      while (true) {
        const old = await readOld(limits.counters);
        if (old.length <= REPLACED) return;
        await commit((operation) => old.forEach((key) => operation.delete(key)));
      }
    },
    async batch(cursor) {
      const old = cursor === "" ? await readOld(REPLACED) : null;
      const { next, sums } = await countBatch(cursor);
      return { next, addToCommit: writeSums(sums, old) };
    },
  };
}
