/** The format of the store. Increase it with every change that an older build could not read. */
export const FORMAT = 16;

/** The oldest format that this build opens: that of release 1.0.0. */
export const OLDEST = 16;

/** The key of the store's format. A store has it from its first commit on. */
export const FORMAT_KEY: Deno.KvKey = ["format"];

/** The version of a store that an import has not finished yet. Every build refuses to open it. */
export const INCOMPLETE = 999_999_999;
