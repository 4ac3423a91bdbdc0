/** Decides what an operator's session may open, and whether it may add a passkey. */
import { MINUTE_MS } from "../../../base/time.ts";
import type { SignedIn } from "../../auth/mod.ts";
import type { PasskeyAccountRow } from "./tables.ts";

/** For how long a sign-in by link, or the use of a passkey, counts as recent. */
export const RECENT_MS = 15 * MINUTE_MS;

/**
 * For how long the use of a passkey allows the operator to add another. It is short, because whoever has a
 * copy of the cookie could add a passkey of their own, which keeps working when the session has ended.
 */
const ADDING_MS = 2 * MINUTE_MS;

/** How far the passkeys of an operator open a console for one session. */
export interface PasskeyGate {
  /**
   * True if the session alone does not open sensitive pages: the operator has a passkey, or had one when
   * the session began.
   */
  protected: boolean;
  /** True if the operator has a passkey that can be used. */
  usable: boolean;
  /** True if a passkey was used in the session. */
  used: boolean;
  /** Milliseconds for which sensitive pages stay open after the use of a passkey; 0 if they are closed. */
  openMs: number;
  /** True if this deployment requires a passkey for everything. */
  required: boolean;
  /** The condition for adding a passkey in the session. */
  adding: Adding;
}

/**
 * The condition for adding a passkey. `nothing`: it may. `link`: it has to begin again with a mailed
 * link. `passkey`: one of the operator's has to be used. `code`: another administrator has to give a
 * permission, and the operator enters its code.
 */
type Adding = "nothing" | "link" | "passkey" | "code";

/** The gate where there are no consoles, and for people who are not signed in. */
export const NO_GATE: PasskeyGate = {
  protected: false,
  usable: false,
  used: false,
  openMs: 0,
  required: false,
  adding: "link",
};

/** Returns the gate of a session. */
export function gateOf(
  session: SignedIn,
  account: PasskeyAccountRow | null,
  { now, required }: { now: number; required: boolean },
): PasskeyGate {
  const { passkey_at } = session;
  const from = account?.used_from ?? "";
  const counts = passkey_at !== null && passkey_at >= from;
  const sinceUse = counts ? now - Date.parse(passkey_at) : Infinity;
  const usable = account !== null && account.passkeys > 0;
  // Otherwise, whoever has a copy of the cookie could remove the only passkey, and then everything would
  // be open, also the addition of another passkey.
  const outdated = session.created_at < from;
  return {
    protected: usable || account?.locked === true || outdated,
    usable,
    used: counts,
    openMs: Math.max(0, RECENT_MS - sinceUse),
    required,
    adding: addingOf(session, account, { now, outdated, sinceUse }),
  };
}

function addingOf(
  session: SignedIn,
  account: PasskeyAccountRow | null,
  { now, outdated, sinceUse }: { now: number; outdated: boolean; sinceUse: number },
): Adding {
  const byLink = session.method === "link" && now < Date.parse(session.created_at) + RECENT_MS;
  if (byLink && session.replaces_passkeys) return "nothing";
  if (account !== null && account.passkeys > 0) {
    return sinceUse < ADDING_MS ? "nothing" : "passkey";
  }
  if (!byLink || outdated) return "link";
  return account?.locked ? "code" : "nothing";
}
