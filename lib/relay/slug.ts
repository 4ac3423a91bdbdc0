import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** What a slug looks like: `<prefix>-<random hex>` (spec 2.10), long enough not to be guessed. */
export const SLUG = /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*-[0-9A-Fa-f]{16,64}$/;

/**
 * Makes a new secret slug with 96 bits of chance.
 *
 * @param prefix letters, digits and hyphens; no secret
 *
 * @example
 * ```ts
 * newSlug("docs"); // "docs-3f9c…", 24 hex digits
 * ```
 */
export function newSlug(prefix: string): string {
  return `${prefix}-${randomBytes(12).toString("hex")}`;
}

/**
 * Makes the check of a path's first segment. Digests are compared, all of them and in constant
 * time, so that the time of an answer tells neither how much of a guess was right nor which slug.
 *
 * @param slugs those in use: one, and the previous one while a rotation lasts
 * @returns tells whether a segment is one of them
 */
export function slugCheck(slugs: string[]): (segment: string) => boolean {
  const digests = slugs.map(digestOf);
  return (segment) => {
    const digest = digestOf(segment);
    return digests.map((each) => timingSafeEqual(each, digest)).includes(true);
  };
}

const digestOf = (text: string) => createHash("sha256").update(text).digest();
