import { DAY_MS } from "../../base/time.ts";
import type { Expiring, Table } from "../kv/mod.ts";
import type { Migration } from "./migration.ts";

/** A commit has at most 80 KiB of keys. */
const BATCH = 200;

/** Whether the rows are indexed before or beside the site. Those that can change or be deleted need `before`. */
type When = { before: string } | { beside: string };

/** The reason of most migrations with which rows are deleted by an index. */
export const DELETED_BY_INDEX = "a deletion would miss rows that are not in the index";

/**
 * Writes the indexes of rows that earlier builds have stored without them. The cursor is the key of the
 * last row as JSON.
 *
 * @param options.expires whether the store deletes the rows when they expire. Default: as the table says
 */
export function indexMigration<Row extends object>(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  { prefix, indexRows, lifetime }: Pick<
    Table<Row, never, never>,
    "prefix" | "indexRows" | "lifetime"
  >,
  { format, label, expires = lifetime.removedBy === "store", ...when }:
    & { format: number; label?: string; expires?: boolean }
    & When,
): Migration {
  /** A row that has expired may be stored for some time, so its index remains for a day longer. */
  function expiryOf(row: unknown, now: number): { expireIn: number } | undefined {
    if (!expires) return undefined;
    const { expires_at } = row as Expiring;
    return { expireIn: Math.max(0, Date.parse(expires_at) - now) + DAY_MS };
  }

  return {
    name: `index_${prefix}`,
    format,
    ...label === undefined ? {} : { label },
    ...when,
    step: {
      async batch(cursor) {
        // This is the smallest key after that of the cursor, because `start` includes its key.
        const after = cursor === "" ? {} : { start: [...JSON.parse(cursor), new Uint8Array()] };
        const rows = await Array.fromAsync(
          kv.list<Row>({ prefix: [prefix], ...after }, { limit: BATCH, batchSize: BATCH }),
        );
        const now = clock();
        return {
          indexed: rows.length,
          next: rows.length < BATCH ? null : JSON.stringify(rows.at(-1)!.key),
          addToCommit(commit) {
            for (const { key, value } of rows) {
              const expiry = expiryOf(value, now);
              for (const index of indexRows(value, key)) commit.set(index.key, index.value, expiry);
            }
          },
        };
      },
    },
  };
}
