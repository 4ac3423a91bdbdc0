import { EVENT_KINDS, type EventKind } from "./kinds.ts";
import { linkEvent } from "./hash.ts";
import type { LinkedEvent } from "./event.ts";

/** For tests: a valid chain of some length, its kinds in turn, a second apart. */
export async function makeChain(
  recordHash: string,
  length: number,
): Promise<LinkedEvent[]> {
  const events: LinkedEvent[] = [];
  let prev = recordHash;
  for (let seq = 0; seq < length; seq++) {
    const kind: EventKind = EVENT_KINDS[seq % EVENT_KINDS.length].kind;
    const at = new Date(Date.UTC(2026, 0, 1) + 1000 * seq).toISOString();
    events.push(await linkEvent(prev, { seq, kind, at, status: "ok" }));
    prev = events[seq].hash;
  }
  return events;
}
