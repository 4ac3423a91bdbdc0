import { CONTACT_FIELDS } from "../contact/mod.ts";
import { csvResponse, textCell } from "../../base/csv.ts";
import type { RecordEntry, Records } from "../records/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { AuditLog } from "../audit/mod.ts";
import { describeExport, type RecordsQuery } from "./record_filters.ts";

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

/** Returns the records that a query selects as a CSV download, and adds it to the audit log. */
export async function exportRecords(
  { audit, records }: { audit: AuditLog; records: Records },
  query: RecordsQuery,
  { organisation, by }: { organisation: OrganisationKey; by: string },
): Promise<Response> {
  const detail = describeExport(query);
  await audit.add({ organisation, by, action: "records_exported", detail });
  return csvResponse("records", RECORD_COLUMNS, rowsOf(records.all(organisation, query)));
}

async function* rowsOf(records: AsyncIterable<RecordEntry>): AsyncGenerator<string[]> {
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
