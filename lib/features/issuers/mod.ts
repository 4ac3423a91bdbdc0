/**
 * The organisations that make documents (design, section 19), which administrators approve.
 *
 * @module
 */
export { type IssuerChange, type IssuerResult, type Issuers } from "./issuers.ts";
export { DOCUMENTS_BY_ISSUER, type IssuerDomain, type IssuerRow, issuerRows } from "./rows.ts";
export * from "./input.ts";
