/**
 * Judges the responses of a program, and writes the report.
 *
 * @module
 */
import { cleanText } from "../../../lib/base/sanitise.ts";
import type { Case } from "./cases.ts";
import type { Conversation } from "./converse.ts";

interface Verdict {
  id: number;
  title: string;
  passed: boolean;
  /** True if the program does not offer an operation that is optional. It then passes the case. */
  skipped: boolean;
  expected: Case["expected"];
  /** The whole response; null if there is none. */
  actual: Record<string, unknown> | null;
}

/** Compares the responses with the expected ones. */
export const judge = (
  cases: readonly Case[],
  responses: Conversation["responses"],
): Verdict[] =>
  cases.map(({ id, title, expected, optional }) => {
    const actual = responses.get(id) ?? null;
    const skipped = optional && actual?.unsupported === true;
    const passed = skipped || actual !== null &&
        Object.entries(expected).every(([name, value]) =>
          Object.hasOwn(actual, name) && actual[name] === value
        );
    return { id, title, passed, skipped, expected, actual };
  });

/** Returns the report for people, in lines. */
export function reportLines(verdicts: readonly Verdict[], problems: readonly string[]): string[] {
  const passed = verdicts.filter((verdict) => verdict.passed).length;
  const skipped = verdicts.filter((verdict) => verdict.skipped).length;
  return [
    ...verdicts.flatMap(verdictLines),
    "",
    ...problems.map((problem) => `Problem: ${problem}`),
    ...skipped === 0 ? [] : [`${skipped} checks of optional operations were skipped.`],
    `${passed - skipped} of ${verdicts.length - skipped} checks passed${
      problems.length === 0 ? "." : ", and the program broke the protocol."
    }`,
  ];
}

function verdictLines({ id, title, passed, skipped, expected, actual }: Verdict): string[] {
  const label = `${String(id).padStart(3)}  ${title}`;
  if (passed) return [`${skipped ? "skip" : "ok  "} ${label}`];
  const { id: _, ...rest } = actual ?? {};
  return [
    `FAIL ${label}`,
    `          expected  ${JSON.stringify(expected)}`,
    `          actual    ${actual === null ? "no response" : shorten(JSON.stringify(rest))}`,
  ];
}

const shorten = (json: string): string => {
  const text = cleanText(json);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};
