/**
 * Passkeys of records (spec 2.9 and 4.7; design, section 11): a holder adds them to a record and
 * signs in with them, without typing anything.
 *
 * @module
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { PasskeyConfig } from "./variables.ts";
import type { Mailer } from "../../platform/mail/mod.ts";
import { type Holder, type Notices, type Reader, type RecordEntry } from "../records/mod.ts";
import type { Failure } from "../../base/result.ts";
import type { OrganisationKey, Surface } from "../../platform/surfaces/mod.ts";
import type { Count } from "../../platform/telemetry/mod.ts";
import { removePasskey, renamePasskey } from "./manage.ts";
import { providerOf } from "./providers.ts";
import { accountName, registerPasskey, registrationOptions } from "./registration.ts";
import { type RelyingParty, relyingPartyOf } from "./relying_party.ts";
import type { PasskeySummary } from "./schemas.ts";
import { signIn, signInOptions } from "./sign_in.ts";
import { listPasskeys, MAX_PASSKEYS, type Passkey } from "./store.ts";

export { formSchema, passkeyData } from "./manage.ts";
export { androidDocument, appleDocument, published, webauthnDocument } from "./relying_party.ts";
export { registrationSchema, signInSchema } from "./responses.ts";
export {
  androidSchema,
  appleSchema,
  creationOptionsSchema,
  type PasskeySummary,
  registeredPasskeySchema,
  requestOptionsSchema,
  webauthnSchema,
} from "./schemas.ts";
export { listPasskeys, MAX_PASSKEYS, type Passkey } from "./store.ts";

export interface PasskeysOptions {
  kv: Deno.Kv;
  clock: () => number;
  records: { notices: Notices };
  mailer: Mailer;
  config: PasskeyConfig;
  organisations: Record<OrganisationKey, { name: string }>;
  log: (entry: Record<string, unknown>) => void;
  count?: Count;
}

/** The account that a browser reports to password managers, so that they forget removed passkeys. */
export interface PasskeyAccount {
  rpId: string;
  userId: string;
  name: string;
  credentialIds: string[];
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
export interface Passkeys {
  /** Returns the options for adding a passkey. */
  registrationOptions(
    request: HolderRequest,
  ): Promise<{ ok: true; options: PublicKeyCredentialCreationOptionsJSON } | Failure>;
  /** Adds a passkey to the holder's record. */
  register(
    request: HolderRequest,
    response: RegistrationResponseJSON,
  ): Promise<{ ok: true; passkey: PasskeySummary } | Failure>;
  signInOptions(
    request: { surface: Surface; browser: string; clientAddress: string },
  ): Promise<{ ok: true; options: PublicKeyCredentialRequestOptionsJSON } | Failure>;
  /** Starts a session and returns its `Set-Cookie` value. */
  signIn(
    request: {
      surface: Surface;
      browser: string | null;
      previous: string | null;
      reader: Reader;
    },
    response: AuthenticationResponseJSON,
  ): Promise<{ ok: true; cookie: string } | Failure>;
  /** Returns the passkeys of a record, oldest first. */
  list(record: RecordEntry, surface: Surface): Promise<PasskeyList>;
  rename(
    request: Pick<HolderRequest, "record" | "reader">,
    id: string,
    name: string,
  ): Promise<{ ok: true } | Failure<"not_found">>;
  /** Removes a passkey of the holder's record. */
  remove(
    request: Pick<HolderRequest, "record" | "reader">,
    id: string,
  ): Promise<{ ok: true } | Failure<"not_found">>;
}

export function createPasskeys(options: PasskeysOptions): Passkeys {
  const { kv, clock, records, mailer, config, organisations, log } = options;
  const deps = { kv, clock, notices: records.notices, mailer, log };
  const partyOf = (surface: Surface): RelyingParty =>
    relyingPartyOf(surface, organisations[surface.organisation].name, config);
  return {
    registrationOptions: ({ surface, ...request }) =>
      registrationOptions(deps, { ...request, party: partyOf(surface) }),
    async register({ surface, ...request }, response) {
      const added = await registerPasskey(deps, { ...request, party: partyOf(surface) }, response);
      return added.ok ? { ok: true, passkey: summaryOf(added.passkey) } : added;
    },
    signInOptions: ({ surface, ...request }) =>
      signInOptions(deps, { ...request, party: partyOf(surface) }),
    signIn: ({ surface, ...request }, response) =>
      signIn(deps, { ...request, surface: surface.name, party: partyOf(surface) }, response),
    async list({ hash, row }, surface) {
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
    rename: (request, id, name) => renamePasskey(deps, request, id, name),
    remove: (request, id) => removePasskey(deps, request, id),
  };
}

const summaryOf = (passkey: Passkey): PasskeySummary => ({
  id: passkey.id,
  name: passkey.name,
  provider: providerOf(passkey.aaguid),
  synced: passkey.backed_up,
  created_at: new Date(passkey.created_at).toISOString(),
  last_used: passkey.last_used === null ? null : new Date(passkey.last_used).toISOString(),
});
