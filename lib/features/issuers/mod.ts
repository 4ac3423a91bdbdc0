/**
 * The organisations that make documents (docs/issuers.md), which administrators approve.
 *
 * @module
 */
export type { ApiCaller, ApiResponse, Call, Caller } from "./call.ts";
export { type Issuers, issuingProblem } from "./issuers.ts";
export { fileUrlOf, proofTextOf, recordNameOf } from "./domain_check.ts";
export {
  type DomainStatus,
  domainStatus,
  GRACE_MS,
  lossOf,
  publicIssuer,
} from "./domain_status.ts";
export { MAX_PICTURE, MAX_PICTURE_PIXELS, PICTURE_KINDS, type PictureKind } from "./pictures.ts";
export { issuerPath } from "./issuer_path.ts";
export { FAILURES_PER_MINUTE } from "./http/authenticate.ts";
export { readFoundKeys, readOwnIssuer } from "./http/requests.ts";
export { NEXT_STATES } from "./profiles.ts";
export { DOCUMENTS_BY_ISSUER, type IssuerDomain, type IssuerRow, issuerRows } from "./rows.ts";
export * from "./input.ts";
export { callerSchema, describeCaller } from "./describe.ts";
export * from "./key_input.ts";
export { type ApiKeyRow, KEY_SCOPES, type KeyScope, SCOPES, shortKey, works } from "./key_rows.ts";
export { isKey, KEY_MODES, KEY_PATTERN, type KeyMode, newKey } from "./key_text.ts";
export { oneKeySchema, revokedSchema } from "./found_keys.ts";
export { type KeyWebhook, type KeyWebhooks, webhooksChoice } from "./key_webhooks.ts";
export { MAX_KEYS, type UsedKey } from "./keys.ts";
export { LEARNING_MS } from "./key_networks.ts";
export { type RevocableKey } from "./revocation.ts";
export { revocationLinkSchema, stopLinkSchema } from "./revocation_link.ts";
export type { StoppableIssuer } from "./stop.ts";
export { MOST_WITHDRAWN } from "./unusual_use.ts";
