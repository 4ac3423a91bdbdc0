import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { textField } from "../../contact/mod.ts";
import {
  changeSchemas,
  HOLDERS,
  listFor,
  type PasskeyConfig,
  type PasskeyList,
  registerPasskey,
  registrationOptions,
  relyingPartyOf,
  signInOptions,
  summaryOf,
} from "../../passkeys/mod.ts";
import type { OrganisationKey, Surface } from "../../../platform/surfaces/mod.ts";
import { askToAdd } from "./addition.ts";
import type { HolderRequest, PasskeyOptions } from "./options.ts";
import { removePasskey, renamePasskey } from "./removal.ts";
import { type PasskeySignIn, signInWithPasskey } from "./sign_in.ts";
import type { RecordEntry } from "../record/store.ts";

/** The body of `POST /my-record/passkeys`. */
export const passkeyFormSchema = z.discriminatedUnion(
  "act",
  [...changeSchemas(textField(60).pipe(z.string("Enter a name.")))],
  "Choose what to do.",
);

/** The account of a record as password managers show it. */
const accountName = (hash: string): string => `Record ${hash.slice(0, 8)}`;

/** Every method rejects with `KvBusyError` while the store is too busy. */
export type HolderPasskeys = ReturnType<typeof createHolderPasskeys>;

/** Creates the passkeys of records: a holder adds them and signs in with them, without typing anything. */
export function createHolderPasskeys(
  { kv, clock, mailer, log, notices, count, organisations, passkeys: config }:
    & Omit<PasskeyOptions, "kind" | "partyOf">
    & { organisations: Record<OrganisationKey, { name: string }>; passkeys: PasskeyConfig },
) {
  const options: PasskeyOptions = {
    ...{ kind: HOLDERS, kv, clock, mailer, log, notices, count },
    partyOf: (surface) => relyingPartyOf(surface, organisations[surface.organisation].name, config),
  };
  const addition = ({ surface, ...request }: HolderRequest) => ({
    owner: { contact_hash: request.record },
    surface,
    account: accountName(request.record),
    browser: request.reader.browser,
    ask: () => askToAdd(options, request),
  });
  return {
    registrationOptions: (request: HolderRequest) =>
      registrationOptions(options, addition(request)),
    async register(request: HolderRequest, response: RegistrationResponseJSON) {
      const added = await registerPasskey(options, addition(request), response);
      return added.ok ? { ok: true as const, passkey: summaryOf(added.passkey) } : added;
    },
    signInOptions: (request: { surface: Surface; browser: string; clientAddress: string }) =>
      signInOptions(options, request),
    signIn: (request: PasskeySignIn, response: AuthenticationResponseJSON) =>
      signInWithPasskey(options, request, response),
    /** Returns the passkeys of a record, oldest first. */
    async list({ hash, row }: RecordEntry, surface: Surface): Promise<PasskeyList> {
      const passkeys = await HOLDERS.list(kv, { contact_hash: hash });
      const account = { userId: row.user_handle, name: accountName(hash) };
      return listFor(options, surface, passkeys, account);
    },
    rename: (request: Pick<HolderRequest, "record" | "reader">, id: string, name: string) =>
      renamePasskey(options, request, id, name),
    remove: (request: Pick<HolderRequest, "record" | "reader">, id: string) =>
      removePasskey(options, request, id),
  };
}
