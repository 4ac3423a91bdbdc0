/**
 * WebAuthn: the registration and use of passkeys, whoever they belong to. Passkeys of holders and of
 * operators build on it, with tables of their own.
 *
 * @module
 */
export {
  createOptions,
  getOptions,
  type Registered,
  type SignedIn,
  verifyRegistration,
  verifySignIn,
} from "./ceremonies.ts";
export { CHALLENGE_LIFETIME_MS, createChallenges } from "./challenges.ts";
export { CREDENTIAL, type Credential, passkeyId, summaryOf } from "./credential.ts";
export { counterAlarm, newCredential, usedCredential } from "./credential_changes.ts";
export { EXPIRED, NOT_ADDED, REFUSED, tooMany } from "./failures.ts";
export { createRelyingParty, type RelyingParty } from "./relying_party.ts";
export { registrationSchema, signInSchema } from "./responses.ts";
export {
  creationOptionsSchema,
  type PasskeyAccount,
  type PasskeySummary,
  requestOptionsSchema,
  summarySchema,
} from "./schemas.ts";
