/** The passkeys of records, as routes use them. */
import { z } from "zod";
import { textField } from "../../contact/mod.ts";
import {
  changeSchemas,
  HOLDERS,
  listFor,
  type PasskeyConfig,
  type PasskeyList,
  relyingPartyOf,
  signInOptions,
} from "../../passkeys/mod.ts";
import { bind } from "../../../base/bind.ts";
import type { OrganisationKey, Surface } from "../../../platform/surfaces/mod.ts";
import type { RecordEntry } from "../record/store.ts";
import { additionOptions, addPasskey } from "./addition.ts";
import { accountName, type PasskeyOptions } from "./options.ts";
import { removePasskey, renamePasskey } from "./removal.ts";
import { signInWithPasskey } from "./sign_in.ts";

/** The body of `POST /my-record/passkeys`. */
export const passkeyFormSchema = z.discriminatedUnion(
  "act",
  [...changeSchemas(textField(60).pipe(z.string("Enter a name.")))],
  "Choose what to do.",
);

/** Every method rejects with `KvBusyError` while the store is too busy. */
export type HolderPasskeys = ReturnType<typeof createHolderPasskeys>;

/** Creates the passkeys of records: a holder adds them and signs in with them, without typing anything. */
export const createHolderPasskeys = (
  { kv, clock, mailer, log, notices, count, organisations, passkeys: config }:
    & Omit<PasskeyOptions, "kind" | "partyOf">
    & { organisations: Record<OrganisationKey, { name: string }>; passkeys: PasskeyConfig },
) =>
  bind({
    ...{ kind: HOLDERS, kv, clock, mailer, log, notices, count },
    partyOf: (surface: Surface) =>
      relyingPartyOf(surface, organisations[surface.organisation].name, config),
  }, {
    registrationOptions: additionOptions,
    register: addPasskey,
    signInOptions,
    signIn: signInWithPasskey,
    list: listPasskeys,
    rename: renamePasskey,
    remove: removePasskey,
  });

/** Returns the passkeys of a record, oldest first. */
async function listPasskeys(
  options: PasskeyOptions,
  { hash, row }: RecordEntry,
  surface: Surface,
): Promise<PasskeyList> {
  const passkeys = await HOLDERS.list(options.kv, { contact_hash: hash });
  const account = { userId: row.user_handle, name: accountName(hash) };
  return listFor(options, surface, passkeys, account);
}
