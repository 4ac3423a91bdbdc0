import { plural } from "../../../base/time.ts";
import { addAudit, type AuditAction } from "../../audit/mod.ts";
import { isKey } from "../../documents/mod.ts";
import type { BatchRow } from "./rows.ts";

/** Adds the actions of administrators to the audit log. Those of issuers are in their own records. */
export function addBatchAudit(
  commit: Deno.AtomicOperation,
  { organisation, issuer, rows, test }: BatchRow,
  { by, action }: { by: string; action: AuditAction },
  now: number,
): void {
  if (isKey(by)) return;
  const detail = plural(rows, test ? "row of a test" : "row", test ? "rows of a test" : "rows");
  addAudit(commit, { organisation, by, action, object: { issuer }, detail }, now);
}
