import { defineFeature, type Platform } from "../../platform/feature.ts";
import { type AuditLog, createAuditLog } from "./mod.ts";

export interface AuditServices {
  /** The log of what operators do in the consoles. */
  audit: AuditLog;
}

export const auditFeature = defineFeature({
  name: "audit",
  create: (below: Platform): AuditServices => ({ audit: createAuditLog(below) }),
});
