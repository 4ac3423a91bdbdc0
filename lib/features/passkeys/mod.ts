/**
 * Passkeys of records (spec 2.9 and 4.7): a holder adds them to a record and
 * signs in with them, without typing anything.
 *
 * @module
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { PasskeyConfig } from "./variables.ts";
import type { Platform } from "../../platform/feature.ts";
import { type Holder, type Notices, type Reader, type RecordEntry } from "../records/mod.ts";
import type { OrganisationKey, Surface } from "../../platform/surfaces/mod.ts";
import type { Count } from "../../platform/telemetry/mod.ts";
import { removePasskey, renamePasskey } from "./manage.ts";
import { accountName, registerPasskey, registrationOptions } from "./registration.ts";
import {
  type PasskeyAccount,
  type PasskeySummary,
  type RelyingParty,
  summaryOf,
} from "../webauthn/mod.ts";
import { relyingPartyOf } from "./relying_party.ts";
import { signIn, signInOptions, type SignInRequest } from "./sign_in.ts";
import { listPasskeys, MAX_PASSKEYS } from "./store.ts";

export { formSchema, passkeyData } from "./manage.ts";
export { androidDocument, appleDocument, published, webauthnDocument } from "./relying_party.ts";
export { androidSchema, appleSchema, registeredPasskeySchema, webauthnSchema } from "./schemas.ts";
export { listPasskeys, MAX_PASSKEYS, type Passkey } from "./store.ts";

interface PasskeysOptions extends Pick<Platform, "kv" | "clock" | "mailer" | "log"> {
  records: { notices: Notices };
  config: PasskeyConfig;
  organisations: Record<OrganisationKey, { name: string }>;
  count?: Count;
}

/** The passkeys of a record, for its page on one surface. */
export interface PasskeyList {
  passkeys: PasskeySummary[];
  /** True if no more can be added. */
  full: boolean;
  account: PasskeyAccount;
}

/** A holder's request that concerns passkeys. */
export interface HolderRequest extends Holder {
  surface: Surface;
  reader: Reader;
}

/** Every method rejects with `KvBusyError` while the store is too busy. */
export type Passkeys = ReturnType<typeof createPasskeys>;

export function createPasskeys(options: PasskeysOptions) {
  const { kv, records, config, organisations } = options;
  const deps = { ...options, notices: records.notices };
  const partyOf = (surface: Surface): RelyingParty =>
    relyingPartyOf(surface, organisations[surface.organisation].name, config);
  return {
    registrationOptions: ({ surface, ...request }: HolderRequest) =>
      registrationOptions(deps, { ...request, party: partyOf(surface) }),
    async register({ surface, ...request }: HolderRequest, response: RegistrationResponseJSON) {
      const added = await registerPasskey(deps, { ...request, party: partyOf(surface) }, response);
      return added.ok ? { ok: true as const, passkey: summaryOf(added.passkey) } : added;
    },
    signInOptions: (
      { surface, ...request }: { surface: Surface; browser: string; clientAddress: string },
    ) => signInOptions(deps, { ...request, party: partyOf(surface) }),
    signIn: (
      { surface, ...request }: Omit<SignInRequest, "party" | "surface"> & { surface: Surface },
      response: AuthenticationResponseJSON,
    ) => signIn(deps, { ...request, surface: surface.name, party: partyOf(surface) }, response),
    /** Returns the passkeys of a record, oldest first. */
    async list({ hash, row }: RecordEntry, surface: Surface): Promise<PasskeyList> {
      const passkeys = await listPasskeys(kv, hash);
      const rpId = partyOf(surface).id;
      const credentialIds = passkeys.filter(({ rp_id }) => rp_id === rpId)
        .map(({ credential_id }) => credential_id);
      return {
        passkeys: passkeys.map(summaryOf),
        full: passkeys.length >= MAX_PASSKEYS,
        account: { rpId, userId: row.user_handle, name: accountName(hash), credentialIds },
      };
    },
    rename: (request: Pick<HolderRequest, "record" | "reader">, id: string, name: string) =>
      renamePasskey(deps, request, id, name),
    remove: (request: Pick<HolderRequest, "record" | "reader">, id: string) =>
      removePasskey(deps, request, id),
  };
}
