import { z } from "zod";
import { type Access, DECISION_RESULTS, decisionResult } from "../documents/mod.ts";
import type { Alerts, AlertState } from "../alerts/mod.ts";
import { formatPosition, parsePosition } from "../../platform/listing/filters.ts";
import type { ShownResult } from "../../platform/http/action_result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { CONSOLE_RESULTS, type ConsoleResult } from "./results.ts";

/** The state that an action leaves an alert in. */
const AFTER: Partial<Record<ConsoleResult, AlertState>> = {
  read: "read",
  unread: "unread",
  done: "done",
  reopen: "read",
};

/** The end of the reference to an alert that was new before the action. */
export const WAS_NEW = "~new";

/** Returns the result of an action on alerts; null if it is not true (any longer). */
export async function readAlertResult(
  { access, alerts, clock }: { access: Access; alerts: Alerts; clock: () => number },
  { organisation, by }: { organisation: OrganisationKey; by: string },
  { done, of }: { done: ConsoleResult; of: string },
): Promise<ShownResult | null> {
  if (Object.hasOwn(DECISION_RESULTS, done)) {
    const request = await access.readOf(organisation, of);
    return request && decisionResult(done, request, { by, now: clock() });
  }
  const title = CONSOLE_RESULTS[done].title("");
  if (done === "read_all" || of === "") {
    const { unread } = await alerts.overview(organisation);
    if (done === "unread") return unread > 0 ? { title } : null;
    const holds = unread === 0 && z.iso.datetime().safeParse(of).success;
    return holds ? { title, undo: { fields: { act: "unread", since: of } } } : null;
  }
  const wasNew = of.endsWith(WAS_NEW);
  const ref = parsePosition(wasNew ? of.slice(0, -WAS_NEW.length) : of);
  const alert = ref === undefined ? null : await alerts.read({ organisation, ...ref });
  if (alert === null || (AFTER[done] ?? alert.state) !== alert.state) return null;
  const act = undoOf(done, wasNew);
  if (act === null) return { title };
  return { title, undo: { fields: { act, alert: formatPosition(alert) } } };
}

function undoOf(done: ConsoleResult, wasNew: boolean): string | null {
  if (done === "done") return wasNew ? "unread" : "reopen";
  if (done === "reopen") return "done";
  return done === "read" && wasNew ? "unread" : null;
}
