import type { Columns } from "../../platform/listing/csv.ts";
import type { AuditEntry } from "./store.ts";
import { auditList, type AuditQuery } from "./filters.ts";
import type { AuditLog } from "./mod.ts";
import { type Exporter, exportList } from "./export.ts";

export const AUDIT_COLUMNS: Columns<AuditEntry> = {
  at: ({ at }) => at,
  by: ({ by }) => by,
  action: ({ action }) => action,
  record: ({ object: { record } }) => record ?? null,
  document: ({ object: { document } }) => document ?? null,
  request: ({ object: { request } }) => request ?? null,
  issuer: ({ object: { issuer } }) => issuer ?? null,
  account: ({ object: { account } }) => account ?? null,
  user: ({ object: { user } }) => user === undefined ? null : String(user),
  operator: ({ object: { operator } }) => operator ?? null,
  detail: ({ detail }) => detail,
};

/** Returns the entries that a query selects as a CSV download, and adds the export to the audit log. */
export const exportAuditLog = (
  audit: AuditLog,
  query: AuditQuery,
  by: Exporter,
): Promise<Response> =>
  exportList(audit, by, {
    action: "audit_log_exported",
    filters: auditList.describe(query),
    name: "audit-log",
    columns: AUDIT_COLUMNS,
    items: audit.all(by.organisation, query),
  });
