/** Refuses stores that this build cannot read or would damage. */
import { FORMAT, FORMAT_KEY, INCOMPLETE, isFile, OLDEST } from "../kv/mod.ts";
import { STORE_KEY } from "./marker.ts";

/**
 * Returns why this build must not open a store: it would misread what an older build wrote, it could damage
 * what a newer one wrote, or the store is an incomplete import.
 *
 * @param kvPath the value of `KV_PATH`, to name the files to move
 * @returns null if it may open the store, also a new one
 */
export async function refusesFormat(
  kv: Deno.Kv,
  kvPath: string | undefined,
): Promise<string | null> {
  let format = await formatOf(kv);
  if (format === null) {
    if (await isNew(kv)) return null;
    // Another process may have begun the store since, and its first commit has the format.
    format = await formatOf(kv);
  }
  return format === null
    ? `was ${madeBeforeRelease(null, kvPath)}`
    : refusesVersion(format, kvPath);
}

/** Returns the format of a store; null if it has none. */
export async function formatOf(kv: Deno.Kv): Promise<number | null> {
  const { value } = await kv.get<{ version: number }>(FORMAT_KEY);
  return value?.version ?? null;
}

/** Returns whether a store has no rows yet, or only its own id. */
async function isNew(kv: Deno.Kv): Promise<boolean> {
  const rows = await Array.fromAsync(kv.list({ prefix: [] }, { limit: 2 }));
  return rows.every(({ key }) => key.join() === STORE_KEY.join());
}

/**
 * Like {@link refusesFormat} for a known format.
 *
 * @param newest the format of this build
 */
export function refusesVersion(
  version: number,
  kvPath: string | undefined,
  newest = FORMAT,
): string | null {
  if (version === INCOMPLETE) {
    return "contains an import that was not completed; delete the store and import again";
  }
  if (version > newest) {
    return `was written by a newer version of the site (format ${version}, and this version ` +
      `reads formats up to ${newest}); install the newer version again`;
  }
  return version < OLDEST ? `was ${madeBeforeRelease(version, kvPath)}` : null;
}

/**
 * Returns that a store or an export is too old, and what to do, for a sentence that begins with its name.
 *
 * @param version null if it has no format
 */
export function madeBeforeRelease(version: number | null, kvPath: string | undefined): string {
  const found = version === null ? "no format" : `format ${version}`;
  const begin = isFile(kvPath)
    ? `move all files ${kvPath}* away together`
    : "use an empty store instead";
  return `made before the first release (${found}, and this version opens formats from ${OLDEST} ` +
    `on). To begin with a new store, ${begin}; in production, also move the witness's store and ` +
    "the anchor away, or the new log halts, because the witness remembers the old one's origin";
}
