/**
 * Says in what a stored row differs from what its table declares.
 *
 * @module
 */
import type { TableDescription } from "../../platform/kv/mod.ts";
import type { StoredRow } from "./file_rows.ts";

/** Returns whether a row is one of the table's, and neither a key of its indexes nor a counter beside them. */
export const isRowOf = (
  table: TableDescription,
  { key, value }: Pick<StoredRow, "key" | "value">,
): boolean => table.prefix === key[0] && !(value instanceof Deno.KvU64);

/**
 * Returns what is wrong with a row by the schema of its table, without values, which may be personal; null if
 * it fits.
 */
export function schemaProblem(
  table: TableDescription,
  row: Pick<StoredRow, "key" | "value">,
): string | null {
  // Some tables have a counter next to the rows that it counts, such as access logs.
  if (!isRowOf(table, row)) return null;
  const error = table.value?.safeParse(row.value).error;
  if (error === undefined) return null;
  const [{ path: [column], code, message }] = error.issues;
  const place = column === undefined ? table.prefix : `${table.prefix}, ${String(column)}`;
  // The message would name the unknown columns, which may be personal too.
  return `${place}: ${code === "unrecognized_keys" ? "unknown column" : message}`;
}
