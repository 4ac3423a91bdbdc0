/**
 * Passkeys (spec 2.9 and 4.7): ceremonies, rows and rules, whoever the owner is. Those of operators are
 * complete here. Records own those of holders, and pass what else happens in a commit.
 *
 * @module
 */
export { addRemoval, changePasskey, changeSchemas } from "./change.ts";
export { passkeyId, summaryOf } from "./credential.ts";
export { EXPIRED, REFUSED } from "./failures.ts";
export { type HolderPasskey, holderPasskeys, HOLDERS } from "./holders.ts";
export { listFor, MAX_PASSKEYS, type PasskeyList, type PasskeysOf } from "./kinds.ts";
export { codeSchema } from "./operators/permission.ts";
export { NO_GATE, type PasskeyGate, RECENT_MS } from "./operators/gate.ts";
export { passkeyFormSchema } from "./operators/manage.ts";
export type { OperatorPasskeyList, OperatorPasskeys } from "./operators/mod.ts";
export { CODE_LIFETIME_MS } from "./operators/tables.ts";
export { published } from "./http.ts";
export { androidDocument, appleDocument, relyingPartyOf, webauthnDocument } from "./published.ts";
export {
  androidSchema,
  appleSchema,
  registrationStepSchema,
  signInStepSchema,
  webauthnSchema,
} from "./published_schemas.ts";
export { type Admission, registerPasskey, registrationOptions } from "./registration.ts";
export { registrationSchema, signInSchema } from "./responses.ts";
export { type PasskeyAccount, type PasskeySummary } from "./schemas.ts";
export { signInOptions, signInPurpose, usePasskey } from "./use.ts";
export type { PasskeyConfig } from "./variables.ts";
