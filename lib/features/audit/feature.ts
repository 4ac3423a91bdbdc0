import { defineFeature, type Platform } from "../../platform/feature.ts";
import { type AuditLog, createAuditLog } from "./mod.ts";
import { auditLog } from "./store.ts";

interface AuditServices {
  /** The log of what operators do in the consoles. */
  audit: AuditLog;
}

export const auditFeature = defineFeature({
  name: "audit",
  tables: [auditLog],
  create: (below: Platform): AuditServices => ({ audit: createAuditLog(below) }),
});
