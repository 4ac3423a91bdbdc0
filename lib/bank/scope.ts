import { createHash } from "node:crypto";

/**
 * Whose data a cache holds: a surface's, with one token, and after the split of one account. So
 * another token never shows the entity of the one before. The token itself can't be had from it.
 *
 * @param accountId the one account that the surface is bound to, if it is
 *
 * @example
 * ```ts
 * cacheScope("commercial", "secret-token:…"); // "commercial:b1946ac92492d234"
 * ```
 */
export function cacheScope(surface: string, token: string, accountId?: string): string {
  const fingerprint = createHash("sha256").update(token).digest("hex").slice(0, 16);
  return [surface, fingerprint, ...accountId === undefined ? [] : [accountId]].join(":");
}
