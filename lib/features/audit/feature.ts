import { defineFeature, type Platform } from "../../platform/feature.ts";
import { indexMigration } from "../../platform/store/mod.ts";
import { type AuditLog, createAuditLog } from "./mod.ts";
import { auditLog, BY_PERSON, PEOPLE } from "./store.ts";

export interface AuditServices {
  /** The log of what operators do in the consoles. */
  audit: AuditLog;
}

export const auditFeature = defineFeature({
  name: "audit",
  tables: [auditLog],
  create: (below: Platform): AuditServices => ({ audit: createAuditLog(below) }),
  migrations: (below) => [
    indexMigration(below, auditLog, {
      label: "actions in the audit log",
      format: 7,
      beside: "entries do not change, and the page says that the filter is incomplete",
    }),
    indexMigration(below, auditLog, {
      name: "audit_people",
      label: "operators in the audit log",
      format: 8,
      only: [BY_PERSON, PEOPLE],
      beside: "entries do not change, and the page says that the filter is incomplete",
    }),
  ],
});
