import { encodeBase64Url } from "../../base/encoding.ts";
import { readSlot, type Slot, unchecked } from "../../platform/kv/mod.ts";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";
import {
  accounts,
  OPERATOR_WINDOW_MS,
  type OperatorPasskey,
  operatorPasskeys,
  type PasskeyAccountRow,
} from "./tables.ts";

/** One user on one console. */
export interface Whose {
  user_id: number;
  surface: SurfaceName;
}

/** The row of an operator, for commits that check it. Its value exists even if the row does not. */
export interface AccountEntry {
  entry: Deno.KvEntryMaybe<PasskeyAccountRow>;
  row: PasskeyAccountRow;
}

/** Reads the row of an operator, or returns the one with which an operator begins. */
export async function readAccount(
  kv: Deno.Kv,
  { user_id, surface, email }: Whose & { email: string },
): Promise<AccountEntry> {
  const entry = await accounts.get(kv, user_id, surface);
  const row = entry.value ?? {
    ...{ user_id, surface, email },
    user_handle: encodeBase64Url(crypto.getRandomValues(new Uint8Array(32))),
    passkeys: 0,
    locked: false,
    used_from: null,
    permission: null,
    changed_at: "",
  };
  return { entry, row };
}

/** Changes the row of an operator in a commit, which fails if it has changed since it was read. */
export function changeAccount(
  commit: Deno.AtomicOperation,
  { entry, row }: AccountEntry,
  change: Partial<PasskeyAccountRow>,
  now: number,
): void {
  const changed_at = new Date(now).toISOString();
  accounts.replace(commit, entry, { ...row, ...change, changed_at });
}

/** Returns the passkeys of an operator on a console, oldest first. */
export async function listPasskeys(
  kv: Deno.Kv,
  { user_id, surface }: Whose,
): Promise<OperatorPasskey[]> {
  const found = await operatorPasskeys.find(kv, "operator_passkeys_by_user", [user_id, surface]);
  unchecked("Adding or removing one changes the row of its account.", ...found);
  return found.map(({ value }) => value).sort((a, b) => a.created_at - b.created_at);
}

/** Reads how often an operator may still change passkeys, or reset those of others. */
export function operatorSlot(
  kv: Deno.Kv,
  { user_id, surface }: Whose,
  kind: "changes" | "resets",
  now: number,
): Promise<Slot> {
  const key = ["operator_passkey_limits", kind, user_id, surface];
  return readSlot(kv, { key, limit: 30, windowMs: OPERATOR_WINDOW_MS }, now);
}

/** Reads how often a session may still ask to use a passkey. Other sessions do not count towards it. */
export const confirmationSlot = (kv: Deno.Kv, session: string, now: number): Promise<Slot> =>
  readSlot(kv, {
    key: ["operator_passkey_limits", "confirmations", session],
    limit: 120,
    windowMs: OPERATOR_WINDOW_MS,
  }, now);
