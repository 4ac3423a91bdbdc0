import { defineFeature, type Platform } from "../../platform/feature.ts";
import { type AuditLog, createAuditLog } from "./mod.ts";
import { auditTables } from "./tables.ts";

export interface AuditServices {
  /** The log of what operators do in the consoles. */
  audit: AuditLog;
}

export const auditFeature = defineFeature({
  name: "audit",
  tables: auditTables,
  create: (below: Platform): AuditServices => ({ audit: createAuditLog(below) }),
});
