/**
 * The page for investors: the documents that they may ask for.
 *
 * @module
 */
export { DOCUMENTS, firstValues } from "./documents.ts";
