import { type DerivedCounters } from "../../../platform/kv/mod.ts";
import { EVENT_KINDS, type EventKind, type LinkedEvent } from "../event.ts";

const PREFIX = ["stats", "chain_events"];
const countKey = (kind: EventKind): Deno.KvKey => [...PREFIX, kind];

/** The counters of {@link countEvent}. */
export const eventCounters: DerivedCounters<Pick<LinkedEvent, "kind">> = {
  rows: ["chain_events"],
  counters: [PREFIX],
  of: ({ kind }) => [[countKey(kind), 1n]],
};

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
  // One read: the store allows 10 keys, and the standard defines 10 kinds.
  const keys = EVENT_KINDS.map(({ kind }) => countKey(kind));
  const entries = await kv.getMany<Deno.KvU64[]>(keys);
  return Object.fromEntries(
    EVENT_KINDS.map(({ kind }, i) => [kind, Number(entries[i].value?.value ?? 0n)]),
  ) as Record<EventKind, number>;
}
