/**
 * Everything that needs `@simplewebauthn/server`. `ceremonies.ts` imports this file dynamically, because
 * loading the library takes about 200 ms, which neither the start nor a test of another feature should
 * spend.
 *
 * @module
 */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  type VerifiedAuthenticationResponse,
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import {
  cose,
  decodeAttestationObject,
  decodeCredentialPublicKey,
  isoCBOR,
} from "@simplewebauthn/server/helpers";
import { type Bytes, decodeBase64Url, encodeBase64Url } from "../../base/encoding.ts";
import { CHALLENGE_LIFETIME_MS } from "./challenges.ts";
import type { RelyingParty } from "./relying_party.ts";
import type { Credential } from "./credential.ts";

/** Returns the options for `navigator.credentials.create()`. */
export const createOptions = (
  { party, account, userHandle, challenge, passkeys }: {
    party: RelyingParty;
    /** The name that password managers show. */
    account: string;
    userHandle: string;
    challenge: string;
    /** The owner's passkeys: the same authenticator is refused. */
    passkeys: readonly Credential[];
  },
) =>
  generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: decodeBase64Url(userHandle),
    userName: account,
    userDisplayName: account,
    challenge: decodeBase64Url(challenge),
    timeout: CHALLENGE_LIFETIME_MS,
    attestationType: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: descriptorsOf(passkeys, party),
  });

/**
 * Returns the options for `navigator.credentials.get()`.
 *
 * @param passkeys those that may respond. Default: any, so that the options reveal nothing
 */
export const getOptions = (
  { party, challenge, passkeys = [] }: {
    party: RelyingParty;
    challenge: string;
    passkeys?: readonly Credential[];
  },
) =>
  generateAuthenticationOptions({
    rpID: party.id,
    challenge: decodeBase64Url(challenge),
    timeout: CHALLENGE_LIFETIME_MS,
    userVerification: "required",
    allowCredentials: descriptorsOf(passkeys, party),
  });

const descriptorsOf = (passkeys: readonly Credential[], party: RelyingParty) =>
  passkeys.filter(({ rp_id }) => rp_id === party.id)
    .map(({ credential_id, transports }) => ({ id: credential_id, transports }));

/** The facts that the response to a registration proves. */
export type Registered = NonNullable<VerifiedRegistrationResponse["registrationInfo"]> & {
  algorithm: number;
};

/** Returns what the response to a registration proves, or null if it proves nothing. */
export async function verifyRegistration(
  response: RegistrationResponseJSON,
  challenge: string,
  party: RelyingParty,
): Promise<Registered | null> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: withoutAttestation(response),
      expectedChallenge: challenge,
      expectedOrigin: party.origins,
      expectedRPID: party.id,
      requireUserVerification: true,
    });
    if (!verified || registrationInfo.credential.id !== response.id) return null;
    const key = decodeCredentialPublicKey(registrationInfo.credential.publicKey as Bytes);
    return { ...registrationInfo, algorithm: Number(key.get(cose.COSEKEYS.alg)) };
  } catch {
    return null; // the library throws an Error for everything that is wrong with a response
  }
}

/**
 * Returns a registration without its attestation. We do not ask for one, and verifying it would parse
 * certificates and fetch revocation lists from URLs that the sender chooses.
 */
function withoutAttestation(registration: RegistrationResponseJSON): RegistrationResponseJSON {
  const { response } = registration;
  const attestation = decodeAttestationObject(decodeBase64Url(response.attestationObject));
  const bare = isoCBOR.encode(
    new Map<string, string | Map<string, string> | Uint8Array>([
      ["fmt", "none"],
      ["attStmt", new Map<string, string>()],
      ["authData", attestation.get("authData")],
    ]),
  );
  return { ...registration, response: { ...response, attestationObject: encodeBase64Url(bare) } };
}

/** The facts that the response to a sign-in proves. */
export type SignedIn = VerifiedAuthenticationResponse["authenticationInfo"];

/** Returns what the response to a sign-in proves about a passkey, or null if it proves nothing. */
export async function verifySignIn(
  response: AuthenticationResponseJSON,
  challenge: string,
  passkey: Credential,
  party: RelyingParty,
): Promise<SignedIn | null> {
  if (passkey.rp_id !== party.id || response.response.userHandle !== passkey.user_handle) {
    return null;
  }
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origins,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: decodeBase64Url(passkey.public_key),
        // The library compares counters before it verifies the signature, so that anyone could raise
        // an alarm. The caller compares them.
        counter: 0,
      },
    });
    const unchanged = authenticationInfo.credentialDeviceType === passkey.device_type;
    return verified && unchanged ? authenticationInfo : null;
  } catch {
    return null;
  }
}
