/** The format of the store. Increase it with every change that an older build could not read. */
export const FORMAT = 10;

/** The key of the store's format. Stores from before it existed have none. */
export const FORMAT_KEY: Deno.KvKey = ["format"];

/** The version of a store that an import has not finished yet. Every build refuses to open it. */
export const INCOMPLETE = 999_999_999;

/** Returns the format of a store; 1 for stores from before it was written down. */
export async function formatOf(kv: Deno.Kv): Promise<number> {
  const { value } = await kv.get<{ version: number }>(FORMAT_KEY);
  return value?.version ?? 1;
}

/**
 * Returns why this build must not open a store: it could damage what a newer build wrote, or the
 * store is an incomplete import.
 *
 * @returns null if it may open the store
 */
export async function refusesFormat(kv: Deno.Kv): Promise<string | null> {
  const version = await formatOf(kv);
  if (version <= FORMAT) return null;
  if (version === INCOMPLETE) {
    return "contains an import that was not completed; delete the store and import again";
  }
  return `was written by a newer version of the site (format ${version}, and this version ` +
    `reads formats up to ${FORMAT}); install the newer version again`;
}
