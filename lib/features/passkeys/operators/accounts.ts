/** Reads and changes the row that each operator has for passkeys on a console. */
import { encodeBase64Url } from "../../../base/encoding.ts";
import { changeVersion, readSlot, type Slot } from "../../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import { teamVersion } from "../../operators/mod.ts";
import type { OwnerOf } from "../kinds.ts";
import { OPERATOR_LIMITS } from "../limits.ts";
import { accounts, type OperatorPasskey, OPERATORS, type PasskeyAccountRow } from "./tables.ts";

/** One user on one console. */
export type Whose = OwnerOf<OperatorPasskey>;

/** The row of an operator, for commits that check it. Its value exists even if the row does not. */
interface AccountEntry {
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
  organisation: OrganisationKey,
  { entry, row }: AccountEntry,
  change: Partial<PasskeyAccountRow>,
  now: number,
): void {
  const changed_at = new Date(now).toISOString();
  accounts.replace(commit, entry, { ...row, ...change, changed_at });
  changeVersion(commit, teamVersion(organisation));
}

/** Reads how often an operator may still change passkeys. */
export const changeSlot = (kv: Deno.Kv, whose: Whose, now: number): Promise<Slot> =>
  readSlot(kv, OPERATOR_LIMITS.owner.of(OPERATORS.limitOf(whose)), now);

/** Reads how often an operator may still reset the passkeys of others. */
export const resetSlot = (kv: Deno.Kv, { user_id, surface }: Whose, now: number): Promise<Slot> =>
  readSlot(kv, OPERATOR_LIMITS.resets.of([user_id, surface]), now);
