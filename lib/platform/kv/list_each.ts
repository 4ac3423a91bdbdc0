/** A list of rows that takes only the first few of each group, such as the newest row of each issuer. */

const MAX_BATCH = 500;

/**
 * Lists the rows below a prefix, but at most a number of each group, which are those with the same next part of
 * the key. So a group of which others add very many rows takes no place of another one's.
 *
 * @param options.limit the most rows of one group
 * @param options.groups the most groups. Default: all
 * @param options.reverse true to begin with the last group, and in each with the last row. Default: false
 *
 * @example
 * ```ts
 * // The newest row of each issuer, if the keys are ["by_issuer", issuer, time, id].
 * listEach(kv, ["by_issuer"], { limit: 1, reverse: true });
 * ```
 */
export async function* listEach<Value>(
  kv: Deno.Kv,
  prefix: Deno.KvKey,
  { limit, groups = Infinity, reverse = false }: {
    limit: number;
    groups?: number;
    reverse?: boolean;
  },
): AsyncGenerator<Deno.KvEntry<Value>> {
  const size = Math.min(limit, MAX_BATCH);
  let group: string | undefined;
  let seen = 0; // groups
  let count = 0; // rows of this group
  let from: Deno.KvKey | undefined;
  while (true) {
    const bound = from && (reverse ? { end: from } : { start: from });
    const options = { limit: size, batchSize: size, reverse };
    const page = await Array.fromAsync(
      kv.list<Value>({ prefix, ...bound } as Deno.KvListSelector, options),
    );
    for (const entry of page) {
      const part = String(entry.key[prefix.length]);
      if (part !== group) {
        if (++seen > groups) return;
        group = part;
        count = 0;
      }
      if (++count <= limit) yield entry;
    }
    const last = page.at(-1)?.key;
    if (last === undefined || page.length < size) return;
    const passed = [...prefix, group!];
    from = count < limit
      ? reverse ? last : [...last, ""]
      : reverse
      ? passed
      : [...prefix, `${group}\0`];
  }
}
