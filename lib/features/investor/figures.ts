import { EVENT_KINDS } from "../chain/mod.ts";
import { readEventCounts } from "../chain/store/mod.ts";
import { readTotals } from "../contact/mod.ts";

/** The figures of the investor page, from the counters in the store. */
export interface Figures {
  /** Records of both organisations, without those that were deleted. */
  records: number;
  /** Records at level 3 or 4. */
  established: number;
  /** Events in all chains. */
  events: number;
  /** Events that a reader caused by verifying a record or a document. */
  verifications: number;
}

/** Reads three small sets of counters; the cost does not depend on the number of records. */
export async function readFigures(kv: Deno.Kv): Promise<Figures> {
  const [counts, ...totals] = await Promise.all([
    readEventCounts(kv),
    readTotals(kv, "commercial"),
    readTotals(kv, "foundation"),
  ]);
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
  return {
    records: sum(totals.map(({ registrations }) => registrations)),
    established: sum(totals.map(({ levels }) => levels[3] + levels[4])),
    events: sum(EVENT_KINDS.map(({ kind }) => counts[kind])),
    verifications: counts.record_verified + counts.document_verified,
  };
}
