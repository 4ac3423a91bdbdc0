import { resultIn, withResult } from "../../platform/http/action_result.ts";
import type { Identity } from "../auth/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import type { Secrets } from "../../base/secrets.ts";
import { type ConsoleResult, isConsoleResult } from "./results.ts";

/** The results that nothing stored shows to be true, so that their URLs carry a proof. */
const PROVEN: ReadonlySet<ConsoleResult> = new Set([
  "add",
  "edit",
  "send",
  "cancel_recovery",
  "assign",
  "note",
  "reply",
  "reopen_enquiry",
  "add_issuer",
  "rename_issuer",
  "remove_issuer",
  "set_contact",
  "set_logo",
  "remove_logo",
  "suspend_issuer",
  "activate_issuer",
  "end_issuer",
  "set_domain",
  "check_domain",
  "remove_domain",
  "withdraw_issued",
  "revoke_key",
  "pause_webhook",
  "resume_webhook",
  "remove_webhook",
  "invite_again",
  "withdraw_invitation",
  "remove_operator",
  "end_sessions",
]);

/** How long a page shows a result with a proof. */
const PROOF_LIFETIME_MS = 10 * MINUTE_MS;

/** The members of a request's state that a proof depends on. */
interface Prover {
  session: Identity | null;
  services: { secrets: Secrets; clock: () => number };
}

/** The text that a proof signs: the result, its page, when it was, and the operator. */
const textOf = (
  { session }: Prover,
  { pathname, searchParams }: URL,
): string =>
  JSON.stringify([
    session?.email,
    pathname,
    ...["done", "of", "at"].map((name) => searchParams.get(name)),
  ]);

/**
 * Returns the path of the page that shows the result of an action, as `withResult` does, with a proof
 * if the page needs one.
 */
export async function provenResult(
  prover: Prover,
  href: string,
  done: ConsoleResult,
  of?: string,
): Promise<string> {
  const path = withResult(href, done, of);
  if (!PROVEN.has(done)) return path;
  const { clock, secrets } = prover.services;
  const at = `${path}&at=${clock()}`;
  const proof = await secrets.sign("console-result", textOf(prover, new URL(at, "http://page")));
  return `${at}&proof=${proof}`;
}

/**
 * Returns the result that the URL of a page asks for, with what it concerns; null if it needs a proof
 * and has none of this operator.
 */
export async function readResult(
  prover: Prover,
  url: URL,
): Promise<{ done: ConsoleResult; of: string } | null> {
  const { done, of } = resultIn(url);
  if (!isConsoleResult(done)) return null;
  if (!PROVEN.has(done)) return { done, of };
  const { clock, secrets } = prover.services;
  const age = clock() - Number(url.searchParams.get("at") ?? NaN);
  if (!(age >= 0 && age < PROOF_LIFETIME_MS)) return null;
  const proof = url.searchParams.get("proof") ?? "";
  return await secrets.verify("console-result", textOf(prover, url), proof) ? { done, of } : null;
}
