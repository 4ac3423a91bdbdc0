import {
  type MonthCount,
  readMonths,
  readVersionedTotals,
  type RecordTotals,
} from "../contact/mod.ts";
import { type BatchedReads, createDerivedValues } from "../kv/mod.ts";
import type { OrganisationKey } from "../surfaces/mod.ts";
import { newestHashes, newestRecords } from "./list.ts";
import type { RecordEntry } from "./store.ts";

/** The records of an organisation in short, for its console. */
export interface RecordOverview {
  totals: RecordTotals;
  /** As `Records.months`, but read only if the list of registrations has changed. */
  months(days: readonly string[]): Promise<MonthCount[]>;
  /** Returns the five newest records. Their list is read only if it has changed. */
  newest(): Promise<RecordEntry[]>;
}

/** Creates a function that reads an overview. The months and hashes of each organisation are kept. */
export function createRecordOverview(
  { kv, clock, reads }: { kv: Deno.Kv; clock: () => number; reads: BatchedReads },
): (organisation: OrganisationKey) => Promise<RecordOverview> {
  const derived = createDerivedValues({ clock });
  return async (organisation) => {
    const { totals, version } = await readVersionedTotals(reads, organisation);
    return {
      totals,
      async months(days) {
        const wanted = days.join();
        const kept = await derived.get(
          `months ${organisation}`,
          `${version} ${wanted}`,
          async () => ({
            value: await readMonths(kv, organisation, days),
          }),
        );
        return kept;
      },
      async newest() {
        const hashes = await derived.get(`newest ${organisation}`, version, async () => ({
          value: await newestHashes(kv, organisation),
        }));
        return await newestRecords(kv, organisation, hashes);
      },
    };
  };
}
