import { type Columns, csvOf } from "../../platform/listing/csv.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { AuditAction, AuditLog } from "../audit/mod.ts";

/** Who exports. */
export interface Exporter {
  organisation: OrganisationKey;
  /** The operator's email address. */
  by: string;
}

export interface Export<Item> {
  /** How the audit log names it. */
  action: AuditAction;
  /** The filters, from the list's `describe()`. */
  filters: readonly string[];
  /** The name of the file: letters, digits and dashes. */
  name: string;
  columns: Columns<Item>;
  items: AsyncIterable<Item>;
}

/** Returns every item that a list's filters select as a CSV download, and adds it to the audit log. */
export async function exportList<Item>(
  audit: AuditLog,
  { organisation, by }: Exporter,
  { action, filters, name, columns, items }: Export<Item>,
): Promise<Response> {
  const detail = filters.length === 0 ? "all" : filters.join(", ");
  await audit.add({ organisation, by, action, detail });
  return csvOf(name, columns, items);
}
