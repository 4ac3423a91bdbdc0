import type { ShownResult } from "../../platform/http/action_result.ts";
import type { RecordEntry, Recovery } from "../records/mod.ts";
import { CONSOLE_RESULTS, type ConsoleResult } from "./results.ts";

/** Returns the result of an action on a record; null if it is not true (any longer). */
export function recordResult(
  done: ConsoleResult | undefined,
  { row: { identity, identity_revoked } }: RecordEntry,
  recovery: Recovery | null,
): ShownResult | null {
  const holds: Partial<Record<ConsoleResult, boolean>> = {
    check: identity !== null,
    revoke_level: identity === null && identity_revoked !== null,
    recover: recovery !== null,
    cancel_recovery: recovery === null,
  };
  if (done === undefined || !holds[done]) return null;
  const title = CONSOLE_RESULTS[done].title("");
  return done === "recover" ? { title, undo: { fields: { act: "cancel_recovery" } } } : { title };
}
