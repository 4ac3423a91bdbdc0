/** The message that the page of alerts shows after an action, with what undoes it. */
import { type Access, decisionResult, isDecision } from "../../lib/features/documents/mod.ts";
import type { Alerts } from "../../lib/features/alerts/mod.ts";
import { formatPosition, parsePosition } from "../../lib/platform/listing/filters.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import type { OrganisationKey } from "../../lib/platform/surfaces/mod.ts";
import {
  type ConsoleAction,
  type ConsoleResult,
  shownResult,
} from "../../lib/features/console/results.ts";

/** The end of the reference to an alert that was new before the action. */
export const WAS_NEW = "~new";

/**
 * Returns the result of an action on alerts; null if it is not true any longer.
 *
 * @param reader.unread the number of new alerts
 */
export async function readAlertResult(
  { access, alerts, clock }: { access: Access; alerts: Alerts; clock: () => number },
  { organisation, by, unread }: { organisation: OrganisationKey; by: string; unread: number },
  asked: ConsoleAction,
): Promise<ShownResult | null> {
  const { done, of } = asked;
  if (isDecision(asked)) {
    const request = await access.readOf(organisation, of);
    return request && decisionResult(asked, request, { by, now: clock() });
  }
  if (done === "read_all" || of === "") {
    const states = [unread > 0 ? "unread" : "read"];
    const undo = done === "read_all" ? { fields: { act: "unread", since: of } } : null;
    return shownResult(asked, { states, undo });
  }
  const wasNew = of.endsWith(WAS_NEW);
  const ref = parsePosition(wasNew ? of.slice(0, -WAS_NEW.length) : of);
  const alert = ref === undefined ? null : await alerts.read({ organisation, ...ref });
  if (alert === null) return null;
  const act = undoOf(done, wasNew);
  const undo = act === null ? null : { fields: { act, alert: formatPosition(alert) } };
  return shownResult(asked, { states: [alert.state], undo });
}

function undoOf(done: ConsoleResult, wasNew: boolean): string | null {
  if (done === "done") return wasNew ? "unread" : "reopen";
  if (done === "reopen") return "done";
  return done === "read" && wasNew ? "unread" : null;
}
