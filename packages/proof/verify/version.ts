/**
 * The version of the published module, by the rules of semantic versioning. A released version never changes,
 * so each change of the code needs a new number (`release/mod.ts`).
 */
export const VERSION = "1.3.1";
