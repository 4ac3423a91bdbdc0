/** Reads an authorization request that waits for consent, and decides it once. */
import { type TokenRow, transact } from "../../platform/kv/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import {
  type AuthorizationRequest,
  authorizationRequests,
  type Handoff,
  handoffs,
} from "./rows.ts";
import { purposeOf } from "./scopes.ts";

/** A stored request, which waits for a decision. */
export type StoredRequest = AuthorizationRequest & TokenRow;

/** The URL of the MCP host that carries a decision back. */
export type Decided = { ok: true; location: string } | Undecidable | Failure<"conflict">;

/** Why a request cannot be decided. */
type Undecidable = Failure<"not_found" | "used" | "expired">;

const FAILURES = { unknown: "not_found", used: "used", expired: "expired" } as const;

/** Returns the request that a consent page is about. It fails once the request has been decided. */
export async function readRequest(
  kv: Deno.Kv,
  token: string,
  now: number,
): Promise<{ ok: true; request: StoredRequest } | Undecidable> {
  const { state, entry } = await authorizationRequests.find(kv, token, now);
  if (state !== "open") return fail(FAILURES[state]);
  return { ok: true, request: entry.value };
}

/**
 * Decides a request, once. Only a request for the MCP endpoint can be approved without a record.
 *
 * @param check adds checks to the commit; returns false if the decision is not valid
 * @returns the URL of the MCP host that carries the decision back. It works once, in the browser in
 * which the request was made.
 */
export function decideRequest(
  kv: Deno.Kv,
  token: string,
  outcome: Handoff["outcome"],
  now: number,
  check: (commit: Deno.AtomicOperation) => Promise<boolean> = () => Promise.resolve(true),
): Promise<Decided> {
  return transact<Decided>(async () => {
    const { state, entry } = await authorizationRequests.find(kv, token, now);
    if (state !== "open") return { result: fail(FAILURES[state]) };
    const commit = kv.atomic();
    const isOpenToAll = purposeOf(entry.value) === "mcp";
    if (outcome.approved && outcome.record === null && !isOpenToAll) {
      return { result: fail("conflict") };
    }
    if (!await check(commit)) return { result: fail("conflict") };
    authorizationRequests.use(commit, entry, now);
    const { token: handoff } = handoffs.create(
      commit,
      { request: entry.value.token, outcome },
      now,
    );
    const location = `${issuerOrigin(entry.value)}/authorize?handoff=${handoff}`;
    return { result: { ok: true, location }, commit };
  });
}

/** Returns the origin of the MCP host that a request was sent to. */
export const issuerOrigin = ({ issuer }: { issuer: string }): string => new URL(issuer).origin;
