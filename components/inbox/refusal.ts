import type { Problem } from "../../lib/platform/http/errors.ts";

/** A refused form of an enquiry's page, with what was typed, so that nothing is lost. */
export interface ShownRefusal {
  message: string;
  issues: Record<string, string>;
  act: string;
  text: string;
  name: string;
  key: string;
}

export function shownRefusal(
  { problem: { message, issues = {} }, given }: { problem: Problem; given: unknown },
): ShownRefusal {
  const { act = "", text = "", name = "", key = "" } = given as Record<string, string>;
  return { message, issues, act, text, name, key };
}
