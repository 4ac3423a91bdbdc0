import type { Problem } from "../http/errors.ts";

/** What went wrong with a request for a link, as the page says it. */
export interface SignInProblem {
  /** The field that it is about; without one it is about all of it. */
  field?: "email";
  text: string;
}

/** Reads it off a problem, or off the JSON that says the same. */
export const wordsOf = ({ issues, message }: Pick<Problem, "issues" | "message">): SignInProblem =>
  issues?.email === undefined ? { text: message } : { field: "email", text: issues.email };
