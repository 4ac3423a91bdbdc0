/** Returns whether two rows or checks have the same key. */
export const hasSameKey = (
  { key: one }: { key: Deno.KvKey },
  { key: other }: { key: Deno.KvKey },
): boolean => one.length === other.length && one.every((part, i) => part === other[i]);
