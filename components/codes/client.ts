/** The requests and states that the forms for codes by SMS or call share between server and browser. */
import type { Channel, CodeDelivery, Purpose } from "../../lib/features/codes/mod.ts";
import type { Problem } from "../../lib/platform/http/errors.ts";

/** A problem as the form shows it: at a field, or above the form. */
export interface CodeProblem {
  field?: "mobile" | "code";
  text: string;
  /** True if the holder has to sign in first, or again. */
  signIn?: boolean;
}

/** The first state of a form that sends or reads a code. The server and the browser render the same. */
export interface CodeStart {
  purpose: Purpose;
  phase: "number" | "code";
  /** The channel to start with, or of the code that was sent. */
  channel: Channel;
  /** The channels that can be used. */
  channels: readonly Channel[];
  /** The masked number of a code that was sent, or of the record. */
  to: string | null;
  /** The text that was typed, if the form is shown again. */
  country?: string;
  number?: string;
  /** Seconds until another code can be requested. */
  resendAfter: number;
  problem?: CodeProblem;
  /** The page to open after a sign-in. Default: the record. */
  next?: string;
  /** The token of an app's request that the holder signs in for. */
  request?: string;
}

/** The server's response after it has sent a code. */
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

/** The delivery state of a code, for the browser that waits for it. */
interface CodeProgress {
  state: "sending" | "failed" | "delivered";
  /** The problem to show; null unless the message failed. */
  problem: string | null;
}

/** Returns the delivery state of a message; null before the provider has reported anything. */
export function progressOf(delivery: CodeDelivery | null): CodeProgress | null {
  if (delivery === null) return null;
  const { state, failure, channel } = delivery;
  if (failure === null) return { state, problem: null };
  const missed = failure === "busy" || failure === "unanswered";
  const problem = channel === "sms"
    ? "The text message was not delivered. Choose “Call me instead”, or correct your contact data."
    : missed
    ? "The call was not answered, or nobody pressed a key. Get another code."
    : "The call could not be connected. Get the code by text message, or correct your contact data.";
  return { state, problem };
}

/** Returns the delivery state of the message to the record's number; null if nothing is known. */
export async function readProgress(signal: AbortSignal): Promise<CodeProgress | null> {
  try {
    const headers = { accept: "application/json" };
    const response = await fetch("/my-record/number", { headers, signal });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
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
