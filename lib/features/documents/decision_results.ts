import type { ShownResult } from "../../platform/http/action_result.ts";
import { plural, SECOND_MS } from "../../base/time.ts";
import type { AccessRequest } from "./access.ts";

/** The text of a page about an action that succeeded. */
export interface ResultText {
  /** @param name the name of the object */
  title(name: string): string;
  /**
   * How it is taken back. `undo`: with the button of the result. `asks`: not at all, so the page asks
   * first. `later: …`: with another action. `nothing`: there is nothing to take back.
   */
  back: "undo" | "asks" | "nothing" | `later: ${string}`;
}

/** The results of decisions on access, for administrators and holders. */
export const DECISION_RESULTS = {
  approve: { title: (name) => `Approved for ${name}`, back: "undo" },
  refuse: { title: (name) => `Refused for ${name}`, back: "undo" },
  revoke: { title: (name) => `${name} no longer has access`, back: "asks" },
  undo: { title: (name) => `Undone: the request of ${name} waits again`, back: "nothing" },
} as const satisfies Record<string, ResultText>;

type DecisionResult = keyof typeof DECISION_RESULTS;

const STATES: Readonly<Record<DecisionResult, AccessRequest["state"]>> = {
  approve: "approved",
  refuse: "refused",
  revoke: "revoked",
  undo: "open",
};

/**
 * Returns the result of a decision; null if the request is not in the state that it led to.
 *
 * @param by the person who reads the page, as in `decided_by`
 */
export function decisionResult(
  done: string,
  { id, state, person: { name, email }, undo_until, decided_by }: AccessRequest,
  { by, now }: { by: string; now: number },
): ShownResult | null {
  if (!Object.hasOwn(DECISION_RESULTS, done)) return null;
  const act = done as DecisionResult;
  if (state !== STATES[act]) return null;
  const title = DECISION_RESULTS[act].title(name);
  if (act === "revoke" || act === "undo") return { title };
  const mail = act === "approve" ? "The mail with the link" : "The mail that says so";
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
