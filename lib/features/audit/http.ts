/** Responses that export a list, which the audit log records. */
import { type Columns, type ExportFormat, exportOf } from "../../platform/listing/export.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { AuditAction } from "./actions.ts";
import type { AuditObject, NewAuditEntry } from "./store.ts";

/** The log to which the export is added. */
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
  /** The object that the list belongs to, such as a bank account. */
  object?: AuditObject;
  /** The filters, as the list's `describe()` returns them. */
  filters: readonly string[];
  format: ExportFormat;
  /** The name of the file: letters, digits and dashes. */
  name: string;
  columns: Columns<Item>;
  items: AsyncIterable<Item>;
}

/** Returns every item that a list's filters select as a download, and adds the export to the audit log. */
export async function exportList<Item>(
  audit: AuditSink,
  { organisation, by }: Exporter,
  { action, object, filters, columns, items, ...file }: Export<Item>,
): Promise<Response> {
  const detail = filters.length === 0 ? "all" : filters.join(", ");
  await audit.add({ organisation, by, action, object, detail });
  return exportOf(file, columns, items);
}
