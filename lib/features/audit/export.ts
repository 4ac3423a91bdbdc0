import { type Columns, csvOf } from "../../platform/listing/csv.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { AuditAction } from "./actions.ts";
import type { AuditObject, NewAuditEntry } from "./store.ts";

/** What the export is added to. */
interface AuditSink {
  add(entry: NewAuditEntry): Promise<void>;
}

/** The operator who exports a list. */
export interface Exporter {
  organisation: OrganisationKey;
  /** The operator's email address. */
  by: string;
}

interface Export<Item> {
  action: AuditAction;
  /** The filters, as the list's `describe()` returns them. */
  filters: readonly string[];
  /** The name of the file: letters, digits and dashes. */
  name: string;
  columns: Columns<Item>;
  items: AsyncIterable<Item>;
}

/** Returns every item that a list's filters select as a CSV download, and adds the export to the audit log. */
export async function exportList<Item>(
  audit: AuditSink,
  exporter: Exporter,
  { action, filters, name, columns, items }: Export<Item>,
): Promise<Response> {
  await logExport(audit, exporter, action, filters);
  return csvOf(name, columns, items);
}

/** Adds an export to the audit log, with its filters. */
export const logExport = (
  audit: AuditSink,
  { organisation, by }: Exporter,
  action: AuditAction,
  filters: readonly string[],
  object?: AuditObject,
): Promise<void> =>
  audit.add({
    organisation,
    by,
    action,
    object,
    detail: filters.length === 0 ? "all" : filters.join(", "),
  });
