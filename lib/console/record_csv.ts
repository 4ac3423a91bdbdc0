import { CONTACT_FIELDS } from "../contact/mod.ts";
import { textCell } from "../csv.ts";
import type { RecordEntry } from "../records/mod.ts";

export const RECORD_COLUMNS: readonly string[] = [
  "hash",
  "registered_at",
  "site",
  "level",
  "state",
  "email_confirmed_at",
  "mobile_confirmed_at",
  ...CONTACT_FIELDS.map(({ name }) => name),
  "replaces",
  "replaced_by",
];

/** Returns records as rows of a CSV file with {@link RECORD_COLUMNS}. */
export async function* recordRows(records: AsyncIterable<RecordEntry>): AsyncGenerator<string[]> {
  for await (const { hash, contact: { value: contact }, row } of records) {
    const { record, site = "", registered_at, confirmed_at } = contact;
    yield [
      hash,
      registered_at,
      site,
      String(row.level),
      stateOf(row) ?? "in force",
      confirmed_at ?? "",
      row.mobile_confirmed_at ?? "",
      ...CONTACT_FIELDS.map(({ name }) => record[name] ?? ""),
      row.replaces ?? "",
      row.replaced_by ?? "",
    ].map(textCell);
  }
}

/** Returns why a record is not in force; null if it is. */
export const stateOf = (row: RecordEntry["row"]): "replaced" | "closed" | null =>
  row.replaced_by !== null ? "replaced" : row.deletion_at ? "closed" : null;
