/**
 * The results of decisions, in words for holders and administrators.
 *
 * @module
 */
import {
  type DoneAction,
  type ResultText,
  type ShownResult,
  titleOf,
} from "../../../platform/http/action_result.ts";
import { plural, SECOND_MS } from "../../../base/time.ts";
import type { AccessRequest } from "./access.ts";

/** The results of decisions on access, for administrators and holders. */
export const DECISION_RESULTS = {
  approve: { title: (name) => `Approved for ${name}`, back: "undo", after: () => "approved" },
  refuse: { title: (name) => `Refused for ${name}`, back: "undo", after: () => "refused" },
  revoke: { title: (name) => `${name} no longer has access`, back: "asks", after: () => "revoked" },
  undo: {
    title: (name) => `Undone: the request from ${name} is waiting again`,
    back: "nothing",
    after: () => "open",
  },
} as const satisfies Record<string, ResultText>;

/** Returns whether an action is a decision on access. */
export const isDecision = (
  asked: DoneAction,
): asked is DoneAction<keyof typeof DECISION_RESULTS> =>
  Object.hasOwn(DECISION_RESULTS, asked.done);

/**
 * Returns the result of a decision; null if the request is not in the state that it led to.
 *
 * @param by the person who reads the page, as in `decided_by`
 */
export function decisionResult(
  asked: DoneAction,
  { id, state, person: { name, email }, undo_until, decided_by }: AccessRequest,
  { by, now }: { by: string; now: number },
): ShownResult | null {
  if (!isDecision(asked)) return null;
  const { done: act } = asked;
  const title = titleOf(DECISION_RESULTS[act], asked, { name, states: [state] });
  if (title === null) return null;
  if (act === "revoke" || act === "undo") return { title };
  const mail = act === "approve" ? "The email with the link" : "The email that says so";
  const late = `${mail} is on its way to ${email}`;
  const leftMs = undo_until === null ? 0 : Date.parse(undo_until) - now;
  if (leftMs <= 0 || decided_by !== by) return { title, text: `${late}.` };
  return {
    title,
    text: `${mail} is sent to ${email} in ${plural(Math.ceil(leftMs / SECOND_MS), "second")}.`,
    late: `${late}, so this can no longer be undone.`,
    undo: { fields: { act: "undo", id }, leftMs },
  };
}
