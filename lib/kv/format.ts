import { whenUnlocked } from "./transact.ts";

/** The format of the store. Increase it with every change that an older build could not read. */
export const FORMAT = 2;

/** The key of the store's format. Stores from before it existed have none. */
export const FORMAT_KEY: Deno.KvKey = ["format"];

/**
 * Returns why this build must not open a store, because it could damage what a newer build wrote.
 *
 * @returns null if it may open the store
 */
export async function refusesFormat(kv: Deno.Kv): Promise<string | null> {
  const { value } = await whenUnlocked(() => kv.get<{ version: number }>(FORMAT_KEY));
  if (value === null || value.version <= FORMAT) return null;
  return `was written by a newer version of the site (format ${value.version}, and this version ` +
    `reads formats up to ${FORMAT}); install the newer version again`;
}
