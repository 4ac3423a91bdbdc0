import type { ShownResult } from "../../platform/http/action_result.ts";
import type { RecordEntry, Recovery } from "../records/mod.ts";
import { CONSOLE_RESULTS, type ConsoleResult, consoleResultOf } from "./results.ts";

/** Returns the result that the URL of a record's page asks for; null if it is not true (any longer). */
export function recordResult(
  url: URL,
  { row: { identity, identity_revoked } }: RecordEntry,
  recovery: Recovery | null,
): ShownResult | null {
  const holds: Partial<Record<ConsoleResult, boolean>> = {
    check: identity !== null,
    revoke_level: identity === null && identity_revoked !== null,
    recover: recovery !== null,
    cancel_recovery: recovery === null,
  };
  const done = consoleResultOf(url)?.done;
  if (done === undefined || !holds[done]) return null;
  const title = CONSOLE_RESULTS[done].title("");
  return done === "recover" ? { title, undo: { fields: { act: "cancel_recovery" } } } : { title };
}
