import { contentsOf } from "../../lib/features/documents/mod.ts";
import type { RecordEntry } from "../../lib/features/records/mod.ts";
import type { State } from "../../lib/app/state.ts";
import type { DescribedRecord } from "./RecordDescription.tsx";

/** Reads what records contain, by which their holder tells them apart. */
export async function describeRecords(
  { services: { kv } }: State,
  records: readonly RecordEntry[],
): Promise<DescribedRecord[]> {
  const contents = await contentsOf(kv, records.map(({ hash }) => hash));
  return records.map((record) => ({ record, contents: contents.get(record.hash)! }));
}
