/** The column values of a new passkey and of a used one, and the alarm about a signature counter that went back. */
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { encodeBase64Url } from "../../base/encoding.ts";
import { type Credential, passkeyId } from "./credential.ts";
import type { Registered, SignedIn } from "./library.ts";
import { providerOf } from "./providers.ts";
import type { RelyingParty } from "./relying_party.ts";

/** Returns the columns of a new passkey. It is named after its provider, or else the browser. */
export function newCredential(
  { response, verified, party, userHandle, browser, others }: {
    response: RegistrationResponseJSON;
    verified: Registered;
    party: RelyingParty;
    userHandle: string;
    /** The name of the browser; null for another program. */
    browser: string | null;
    /** The owner's other passkeys, whose names are taken. */
    others: readonly Pick<Credential, "name">[];
  },
  now: number,
): Credential {
  const { credential, credentialDeviceType, credentialBackedUp, aaguid, algorithm } = verified;
  return {
    id: passkeyId(credential.id),
    credential_id: credential.id,
    public_key: encodeBase64Url(credential.publicKey),
    sign_count: credential.counter,
    created_at: now,
    last_used: null,
    user_handle: userHandle,
    transports: response.response.transports ?? [],
    device_type: credentialDeviceType,
    backed_up: credentialBackedUp,
    aaguid,
    rp_id: party.id,
    name: uniqueName(providerOf(aaguid) ?? browser ?? "Passkey", others),
    algorithm,
  };
}

function uniqueName(name: string, others: readonly { name: string }[]): string {
  const taken = new Set(others.map((other) => other.name));
  let unique = name;
  for (let i = 2; taken.has(unique); i++) unique = `${name} ${i}`;
  return unique;
}

/** Returns the columns that a sign-in changes. */
export const usedCredential = ({ newCounter, credentialBackedUp }: SignedIn, now: number) => ({
  sign_count: newCounter,
  backed_up: credentialBackedUp,
  last_used: now,
});

/**
 * Returns the counters if the new one is not larger, otherwise null. Synced passkeys always send 0. The
 * authenticator may have been copied. It may also be faulty, so its passkey should be kept.
 */
export function counterAlarm(
  { sign_count: stored }: Pick<Credential, "sign_count">,
  { newCounter: received }: SignedIn,
): { stored: number; received: number } | null {
  return (stored > 0 || received > 0) && received <= stored ? { stored, received } : null;
}
