import { createHash } from "node:crypto";

/** Returns whether two rows or checks have the same key. */
export const hasSameKey = (
  { key: one }: { key: Deno.KvKey },
  { key: other }: { key: Deno.KvKey },
): boolean => one.length === other.length && one.every((part, i) => part === other[i]);

/**
 * Returns 16 hexadecimal digits by which a row can be found again, for log lines: keys may contain what lines
 * must not.
 */
export function keyDigest(key: Deno.KvKey): string {
  const text = JSON.stringify(key, (_, part) => typeof part === "bigint" ? `${part}n` : part);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
