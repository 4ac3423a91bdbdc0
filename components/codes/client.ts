import type { Channel, Purpose } from "../../lib/codes/mod.ts";
import type { Problem } from "../../lib/http/errors.ts";

/** A problem as the form shows it: at a field, or above the form. */
export interface CodeProblem {
  field?: "mobile" | "code";
  text: string;
  /** Whether the holder has to sign in first, or again. */
  signIn?: boolean;
}

/** How a code is asked for and entered. The server and the browser render the same states. */
export interface CodeStart {
  purpose: Purpose;
  phase: "number" | "code";
  /** The channel to start with, or of the code that was sent. */
  channel: Channel;
  /** The channels that can be used. */
  channels: readonly Channel[];
  /** The masked number of a code that was sent, or of the record. */
  to: string | null;
  /** What was typed, if the form is shown again. */
  country?: string;
  number?: string;
  /** Seconds until another code can be requested. */
  resendAfter: number;
  problem?: CodeProblem;
}

/** What the server says about a code that was sent. */
export interface SentCode {
  to: string;
  method: Channel;
  retry_after_seconds: number;
}

/** Returns the problem to show for an error response. */
export function codeProblem({ issues, message }: Pick<Problem, "issues" | "message">): CodeProblem {
  for (const field of ["mobile", "code"] as const) {
    const text = issues?.[field];
    if (text !== undefined) return { field, text };
  }
  return { text: message };
}

/** Posts JSON. Returns the response's body, or the problem. */
export async function postCode<Body>(
  path: "send" | "verify",
  body: unknown,
): Promise<{ ok: true; body: Body } | { ok: false; problem: CodeProblem }> {
  try {
    const response = await fetch(`/api/auth/otp/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.ok) return { ok: true, body: await response.json() };
    const error = await response.json();
    const signIn = ["sign_in_again", "unauthenticated"].includes(error.error);
    return { ok: false, problem: { ...codeProblem(error), signIn } };
  } catch {
    const text = "The site could not be reached. Check your connection and try again.";
    return { ok: false, problem: { text } };
  }
}
