import { EVENT_KINDS, type EventKind } from "../../../packages/proof/mod.ts";

const PREFIX = ["stats", "chain_events"];
const countKey = (kind: EventKind): Deno.KvKey => [...PREFIX, kind];

/**
 * Counts an event in the commit that appends it. A `sum` cannot conflict, so appends to different
 * chains do not wait for each other.
 */
export function countEvent(commit: Deno.AtomicOperation, kind: EventKind): void {
  commit.sum(countKey(kind), 1n);
}

/**
 * Returns how many events of each kind were appended to all chains. Chains outlive the personal data
 * of their records, so the numbers never decrease.
 */
export async function readEventCounts(kv: Deno.Kv): Promise<Record<EventKind, number>> {
  const counts = Object.fromEntries(EVENT_KINDS.map(({ kind }) => [kind, 0]));
  const entries = await Array.fromAsync(kv.list<Deno.KvU64>({ prefix: PREFIX }));
  for (const { key, value } of entries) counts[String(key.at(-1))] = Number(value.value);
  return counts as Record<EventKind, number>;
}
