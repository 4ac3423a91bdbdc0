/**
 * The standard's test vectors, and the kit that checks other implementations against them.
 *
 * @module
 */
export { conformCommand } from "./command.ts";
export { type ChainVector, PRINTED_RECORDS, type SignatureVector, VECTORS } from "./vectors.ts";
