/** The last step of an authorization request: the browser is back on the MCP host, and the client gets its code. */
import { isSameSecret, sha256 } from "../../platform/kv/hash.ts";
import { independent, isLive, unchecked } from "../../platform/kv/mod.ts";
import { type Mailer, transactAndMail } from "../../platform/mail/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { Notices, Reader } from "../records/mod.ts";
import { addConnection } from "./agents.ts";
import { redirectTo } from "./authorize.ts";
import { createCode } from "./codes.ts";
import type { Issuer } from "./issuer.ts";
import { handoffs, requestRows } from "./rows.ts";

/** The client's URL with a code or an error, or why there is none. */
type Finished =
  | { ok: true; location: string }
  | Failure<"not_found" | "used" | "expired" | "other_browser">;

/** The browser that returns with a decision. */
interface Returning {
  /** The id in its cookie. */
  browser: string | null;
  reader: Reader;
}

interface FinishOptions {
  kv: Deno.Kv;
  notices: Notices;
  mailer: Mailer;
}

/**
 * Ends an authorization request with the decision that a handoff carries, which is a single-use token (rows.ts). It is
 * used up even if it arrives in a different browser from the request, where nothing is issued.
 */
export async function finishRequest(
  { kv, notices, mailer }: FinishOptions,
  issuer: Issuer,
  handoff: string,
  { browser, reader }: Returning,
  now: number,
): Promise<Finished> {
  return await transactAndMail<Finished>(mailer, async () => {
    const { state, entry } = await handoffs.find(kv, handoff, now);
    if (state !== "open") return { result: fail(state === "unknown" ? "not_found" : state) };
    const { value: request, ...requested } = await requestRows.get(kv, entry.value.request);
    unchecked("A request never changes, and its handoff is used up.", requested);
    const commit = kv.atomic();
    handoffs.use(commit, entry, now);
    if (request === null || !isLive(request, now) || request.issuer !== issuer.issuer) {
      return { result: fail("expired"), commit };
    }
    if (browser === null || !isSameSecret(request.browser, sha256(browser))) {
      return { result: fail("other_browser"), commit };
    }
    const { redirect_uri } = request;
    const common = { state: request.state, iss: issuer.issuer };
    const { outcome } = entry.value;
    const respond = (answer: Record<string, string>, commit: Deno.AtomicOperation) => {
      const location = redirectTo(redirect_uri, { ...answer, ...common });
      return { result: { ok: true, location } as const, commit };
    };
    if (!outcome.approved) return respond(denied("The person declined."), commit);
    const { record } = outcome;
    const { code, grant } = createCode(commit, { request, server: issuer.base, record, now });
    if (record === null) return respond({ code }, commit);
    const mails = await addConnection({ kv, notices }, commit, { grant, record, reader }, now);
    if (mails === null) {
      independent("A refusal only uses up the handoff.");
      const refusal = kv.atomic();
      handoffs.use(refusal, entry, now);
      return respond(denied("The record is no longer open."), refusal);
    }
    return { ...respond({ code }, commit), mails };
  });
}

const denied = (error_description: string) => ({ error: "access_denied", error_description });
