import type { Problem } from "../../lib/platform/http/errors.ts";

/** A problem with a request for a link, as the page shows it. */
export interface SignInProblem {
  /** The field with the problem; undefined if it concerns the whole request. */
  field?: "email";
  text: string;
}

/** Returns the problem to show for an error response. */
export const signInProblem = (
  { issues, message }: Pick<Problem, "issues" | "message">,
): SignInProblem =>
  issues?.email === undefined ? { text: message } : { field: "email", text: issues.email };

/** Requests a sign-in link. Returns the problem, if any. */
export async function requestLink(
  email: string,
  next: string | null,
): Promise<SignInProblem | undefined> {
  try {
    const response = await fetch("/api/auth/request", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, next }),
    });
    return response.ok ? undefined : signInProblem(await response.json());
  } catch {
    return { text: "The site could not be reached. Check your connection and try again." };
  }
}
