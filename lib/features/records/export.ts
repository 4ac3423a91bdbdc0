import { CONTACT_FIELDS, type ContactIndex } from "../contact/mod.ts";
import type { Columns } from "../../platform/listing/csv.ts";
import { allRecords } from "./list.ts";
import type { RecordEntry } from "./store.ts";
import { recordList, type RecordQuery } from "./filters.ts";
import type { AuditLog } from "../audit/mod.ts";
import { type Exporter, exportList } from "../audit/mod.ts";

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
  { audit, kv, contactIndex: index }: { audit: AuditLog; kv: Deno.Kv; contactIndex: ContactIndex },
  query: RecordQuery,
  by: Exporter,
): Promise<Response> =>
  exportList(audit, by, {
    action: "records_exported",
    filters: recordList.describe(query),
    name: "records",
    columns: RECORD_COLUMNS,
    items: allRecords({ kv, index }, by.organisation, query),
  });

/** Returns why a record is not in force; null if it is. */
export const stateOf = (row: RecordEntry["row"]): "replaced" | "closed" | null =>
  row.replaced_by !== null ? "replaced" : row.deletion_at ? "closed" : null;
