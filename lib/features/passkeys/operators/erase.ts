/** Erases the passkeys of people who are no longer operators. */
import { changeVersion, transact } from "../../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import { type ConsoleUser, teamVersion } from "../../operators/mod.ts";
import type { Whose } from "./accounts.ts";
import type { PasskeyDeps } from "./deps.ts";
import {
  accounts,
  operatorPasskeys,
  OPERATORS,
  ORPHAN_LIFETIME_MS,
  type PasskeyAccountRow,
} from "./tables.ts";

type Deps = Pick<PasskeyDeps, "kv" | "clock" | "operators" | "surfaces">;

/**
 * Erases the passkeys of somebody who has left the consoles of an organisation. Those of an operator who
 * still has a layer, by the configuration, stay.
 */
export async function eraseOf(
  { kv, operators, surfaces }: Deps,
  { email, organisation }: ConsoleUser,
): Promise<void> {
  if (await operators.layerOf(email, organisation) !== null) return;
  for await (const { value: row } of accounts.list(kv, [])) {
    const { user_id, surface } = row;
    if (row.email !== email || surfaces.get(surface)?.organisation !== organisation) continue;
    await eraseAccount(kv, { user_id, surface }, organisation);
  }
}

/** @param organisation undefined if there is no such console any more */
async function eraseAccount(
  kv: Deno.Kv,
  whose: Whose,
  organisation: OrganisationKey | undefined,
): Promise<void> {
  await transact(async () => {
    const [entry, passkeys] = await Promise.all([
      accounts.get(kv, whose.user_id, whose.surface),
      OPERATORS.list(kv, whose),
    ]);
    const commit = kv.atomic().check(entry).delete(entry.key);
    for (const passkey of passkeys) operatorPasskeys.delete(commit, passkey);
    if (organisation !== undefined) changeVersion(commit, teamVersion(organisation));
    return { result: undefined, commit };
  });
}

/**
 * Erases the passkeys of a person who has no layer, and has used none of them for 30 days. So passkeys that are
 * used survive a mistake in the configuration, after which a mailed link alone would add new ones.
 *
 * @returns false if the person has a layer, or used a passkey in the last 30 days
 */
export async function eraseOrphan(
  { kv, clock, operators, surfaces }: Deps,
  { value: { user_id, surface, email } }: Deno.KvEntry<PasskeyAccountRow>,
): Promise<boolean> {
  const passkeys = await OPERATORS.list(kv, { user_id, surface });
  const lastUse = passkeys.map(({ created_at, last_used }) => last_used ?? created_at);
  if (clock() < Math.max(0, ...lastUse) + ORPHAN_LIFETIME_MS) return false;
  const { organisation } = surfaces.get(surface) ?? {};
  if (organisation !== undefined && await operators.layerOf(email, organisation) !== null) {
    return false;
  }
  await eraseAccount(kv, { user_id, surface }, organisation);
  return true;
}
