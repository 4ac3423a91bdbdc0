/** Returns whether two rows or checks have the same key. */
export const hasSameKey = (
  { key: one }: { key: Deno.KvKey },
  { key: other }: { key: Deno.KvKey },
): boolean => one.length === other.length && one.every((part, i) => part === other[i]);

/**
 * Returns 16 hexadecimal digits by which a row can be found again, for log lines: keys may contain what lines
 * must not.
 */
export async function keyDigest(key: Deno.KvKey): Promise<string> {
  const text = JSON.stringify(
    key,
    (_, part) => typeof part === "bigint" ? `${part}n` : part,
  );
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex().slice(0, 16);
}
