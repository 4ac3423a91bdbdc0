import { utf8 } from "../../base/encoding.ts";
import { DAY_MS } from "../../base/time.ts";
import type { Expiring, Table } from "../kv/mod.ts";
import type { Migration } from "./migration.ts";

/** How many rows are read for one commit. */
const BATCH = 200;
/** A commit has at most 80 KiB of keys, a few of them those of the progress. */
const KEY_BYTES = 60 * 1024;

/**
 * Rows are indexed before the site starts, or beside it. If rows change or are deleted meanwhile, `beside` may
 * leave old keys in the index until they expire, so readers have to check the rows that they find.
 */
type When = { before: string } | { beside: string };

/** The reason of most migrations with which rows are deleted by an index. */
export const DELETED_BY_INDEX = "a deletion would miss rows that are not in the index";

/**
 * Writes the indexes of rows that earlier builds have stored without them. The cursor is the key of the
 * last row as JSON.
 *
 * @param options.name identifies the migration. Required if an earlier format indexed the same table
 * @param options.only the indexes to write. Default: all
 * @param options.expires whether the store deletes the rows when they expire. Default: as the table says
 */
export function indexMigration<Row extends object>(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  { prefix, indexRows, lifetime }: Pick<
    Table<Row, never, never>,
    "prefix" | "indexRows" | "lifetime"
  >,
  options:
    & { name?: string; format: number; label?: string; only?: readonly string[]; expires?: boolean }
    & When,
): Migration {
  const {
    name = `index_${prefix}`,
    only,
    expires = lifetime.removedBy === "store",
    ...others
  } = options;

  const indexesOf = ({ key, value }: Deno.KvEntry<Row>) =>
    indexRows(value, key).filter((index) => only?.includes(String(index.key[0])) ?? true);

  /** A row that has expired may be stored for some time, so its index remains for a day longer. */
  function expiryOf(row: unknown, now: number): { expireIn: number } | undefined {
    if (!expires) return undefined;
    const { expires_at } = row as Expiring;
    return { expireIn: Math.max(0, Date.parse(expires_at) - now) + DAY_MS };
  }

  return {
    ...others,
    name,
    step: {
      async batch(cursor) {
        // This is the smallest key after that of the cursor, because `start` includes its key.
        const after = cursor === "" ? {} : { start: [...JSON.parse(cursor), new Uint8Array()] };
        const rows = await Array.fromAsync(
          kv.list<Row>({ prefix: [prefix], ...after }, { limit: BATCH, batchSize: BATCH }),
        );
        const indexed = thatFit(rows.map((row) => ({ row, indexes: indexesOf(row) })));
        const isLast = indexed.length === rows.length && rows.length < BATCH;
        const now = clock();
        return {
          indexed: indexed.length,
          next: isLast ? null : JSON.stringify(indexed.at(-1)!.row.key),
          addToCommit(commit) {
            for (const { row, indexes } of indexed) {
              const expiry = expiryOf(row.value, now);
              for (const { key, value } of indexes) commit.set(key, value, expiry);
            }
          },
        };
      },
    },
  };
}

/** Returns the first rows, at least one, whose indexes have as many keys as a commit can have. */
function thatFit<Item extends { indexes: { key: Deno.KvKey }[] }>(items: Item[]): Item[] {
  let bytes = 0;
  const end = items.findIndex(({ indexes }, i) => {
    bytes += utf8(JSON.stringify(indexes.map(({ key }) => key))).length;
    return i > 0 && bytes > KEY_BYTES;
  });
  return end === -1 ? items : items.slice(0, end);
}
