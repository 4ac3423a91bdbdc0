import { CONTACT_FIELDS } from "../contact/mod.ts";
import type { Columns } from "../../platform/listing/csv.ts";
import {
  allRecords,
  listRecords,
  type RecordEntry,
  type RecordList,
  recordList,
  type RecordQuery,
  searchRecords,
  type SearchResult,
} from "../records/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { AuditLog } from "../audit/mod.ts";
import { type Exporter, exportList } from "./export.ts";

export type RecordsFound = { list: RecordList } | { search: SearchResult };

interface Stored {
  kv: Deno.Kv;
  elapsed: (() => number) | undefined;
}

/** Finds the records of an organisation that a query selects. */
export async function findRecords(
  services: Stored,
  organisation: OrganisationKey,
  { text, ...query }: RecordQuery,
): Promise<RecordsFound> {
  return text === undefined
    ? { list: await listRecords(services, organisation, query) }
    : { search: await searchRecords(services, organisation, { ...query, text }) };
}

export const RECORD_COLUMNS: Columns<RecordEntry> = {
  hash: ({ hash }) => hash,
  registered_at: ({ contact: { value } }) => value.registered_at,
  site: ({ contact: { value } }) => value.site ?? null,
  level: ({ row }) => String(row.level),
  state: ({ row }) => stateOf(row) ?? "in force",
  email_confirmed_at: ({ contact: { value } }) => value.confirmed_at,
  mobile_confirmed_at: ({ row }) => row.mobile_confirmed_at,
  ...Object.fromEntries(
    CONTACT_FIELDS.map((
      { name },
    ) => [name, ({ contact: { value } }: RecordEntry) => value.record[name] ?? null]),
  ),
  replaces: ({ row }) => row.replaces,
  replaced_by: ({ row }) => row.replaced_by,
};

/** Returns the records that a query selects as a CSV download, and adds the export to the audit log. */
export const exportRecords = (
  { audit, kv }: { audit: AuditLog; kv: Deno.Kv },
  query: RecordQuery,
  by: Exporter,
): Promise<Response> =>
  exportList(audit, by, {
    action: "records_exported",
    filters: recordList.describe(query),
    name: "records",
    columns: RECORD_COLUMNS,
    items: allRecords(kv, by.organisation, query),
  });

/** Returns why a record is not in force; null if it is. */
export const stateOf = (row: RecordEntry["row"]): "replaced" | "closed" | null =>
  row.replaced_by !== null ? "replaced" : row.deletion_at ? "closed" : null;
