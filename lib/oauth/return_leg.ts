import { timingSafeEqual } from "node:crypto";
import { sha256 } from "../kv/hash.ts";
import { isLive, type TokenRow, transact } from "../kv/mod.ts";
import { fail, type Failure } from "../result.ts";
import { utf8 } from "../encoding.ts";
import { redirectTo } from "./authorize.ts";
import { createCode } from "./codes.ts";
import type { Issuer } from "./issuer.ts";
import { type AuthorizationRequest, authorizationRequests, handoffs } from "./rows.ts";

/** The client's URL with a code or an error, or why there is none. */
export type Finished =
  | { ok: true; location: string }
  | Failure<"not_found" | "used" | "expired" | "other_browser">;

/**
 * Ends an authorization request with the decision that a handoff carries. The handoff is used up even
 * if it arrives in another browser than the request, where nothing is issued.
 *
 * @param browser the id in the browser's cookie
 */
export function finishRequest(
  kv: Deno.Kv,
  issuer: Issuer,
  handoff: string,
  browser: string | null,
  now: number,
): Promise<Finished> {
  return transact<Finished>(async () => {
    const { state, entry } = await handoffs.find(kv, handoff, now);
    if (state !== "open") return { result: fail(state === "unknown" ? "not_found" : state) };
    const { value: request } = await kv.get<AuthorizationRequest & TokenRow>(
      authorizationRequests.key(entry.value.request),
    );
    const commit = kv.atomic();
    handoffs.use(commit, entry, now);
    if (request === null || !isLive(request, now) || request.issuer !== issuer.issuer) {
      return { result: fail("expired"), commit };
    }
    if (browser === null || !equal(sha256(browser), request.browser)) {
      return { result: fail("other_browser"), commit };
    }
    const { redirect_uri } = request;
    const common = { state: request.state, iss: issuer.issuer };
    const { outcome } = entry.value;
    const answer = outcome.approved
      ? { code: createCode(commit, { request, record: outcome.record, now }).code }
      : { error: "access_denied", error_description: "The person declined." };
    const location = redirectTo(redirect_uri, { ...answer, ...common });
    return { result: { ok: true, location }, commit };
  });
}

const equal = (a: string, b: string) => a.length === b.length && timingSafeEqual(utf8(a), utf8(b));
