/** The format of the store. Increase it with every change that an older build could not read. */
export const FORMAT = 6;

/** The key of the store's format. Stores from before it existed have none. */
export const FORMAT_KEY: Deno.KvKey = ["format"];

/** The version of a store that an import has not finished yet. Every build refuses to open it. */
export const INCOMPLETE = 999_999_999;

/**
 * Returns why this build must not open a store: it could damage what a newer build wrote, or the
 * store is an incomplete import.
 *
 * @returns null if it may open the store
 */
export async function refusesFormat(kv: Deno.Kv): Promise<string | null> {
  const { value } = await kv.get<{ version: number }>(FORMAT_KEY);
  if (value === null || value.version <= FORMAT) return null;
  if (value.version === INCOMPLETE) {
    return "contains an import that was not completed; delete the store and import again";
  }
  return `was written by a newer version of the site (format ${value.version}, and this version ` +
    `reads formats up to ${FORMAT}); install the newer version again`;
}
