/**
 * The interactive parts of the marketing sites: the documents that investors may ask for, and the sample chain that
 * visitors may tamper with.
 *
 * @module
 */
export { DOCUMENTS, firstValues } from "./investor_documents.ts";
export { eventNames, sampleChain } from "./sample_chain.ts";
