/**
 * Reads every row of a store and compares it with what its table declares, to find what a fault of a disk,
 * of a program or of a person has damaged.
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import type { Secrets } from "../../base/secrets.ts";
import { hasDigest, keyDigest, type TableDescription, tableFinder } from "../../platform/kv/mod.ts";
import { listedRows } from "./export.ts";
import { fileRows, type StoredRow } from "./file_rows.ts";
import { keyToJson } from "./json_key.ts";
import { isRowOf, schemaProblem } from "./schema_check.ts";

/** A row that does not fit, or a key of an index without its row. */
export interface RowProblem {
  /** The first part of the key. */
  table: string;
  /** The key as JSON. It may contain a mail address. */
  key: string;
  /** The digest that log lines have in place of the key. */
  digest: string;
  /** Without values of the row. */
  text: string;
}

interface StoreToCheck {
  kv: Deno.Kv;
  /** The store's file; null if it is not a file. */
  path: string | null;
  tables: readonly TableDescription[];
  /** With which log lines make digests. */
  secrets: Secrets;
}

/**
 * Checks all rows of a store, which a site may use at the same time: what looks wrong is read again before
 * it is reported.
 *
 * @param report called for each problem
 * @returns the number of rows
 */
export async function checkStore(
  { kv, path, tables, secrets, clock }: StoreToCheck & { clock: () => number },
  report: (problem: RowProblem) => void,
): Promise<number> {
  const tableOf = tableFinder(tables);
  let rows = 0;
  for await (const row of path === null ? listedRows(kv, tables) : fileRows(path)) {
    rows++;
    if (row.expires !== null && row.expires <= clock()) continue;
    if (await problemOf(kv, tableOf(row.key), row) === null) continue;
    const { value, versionstamp } = await kv.get(row.key);
    if (versionstamp === null) continue; // deleted meanwhile
    const text = await problemOf(kv, tableOf(row.key), { ...row, value });
    if (text === null) continue;
    const { key } = row;
    report({
      table: String(key[0]),
      key: JSON.stringify(keyToJson(key)),
      digest: await keyDigest(secrets, key),
      text,
    });
  }
  return rows;
}

/** Returns the key of the row with a digest, as JSON; null if there is none. */
export async function findKey(
  { kv, path, tables, secrets }: StoreToCheck,
  digest: string,
): Promise<string | null> {
  for await (const { key } of path === null ? listedRows(kv, tables) : fileRows(path)) {
    if (await hasDigest(secrets, key, digest)) return JSON.stringify(keyToJson(key));
  }
  return null;
}

/** Returns what is wrong with a row, as far as reading it and the rows that belong to it tells; null if nothing. */
async function problemOf(
  kv: Deno.Kv,
  table: TableDescription | undefined,
  row: StoredRow,
): Promise<string | null> {
  if (table === undefined) return "no table declares it";
  if (!isRowOf(table, row)) return await strayProblem(kv, table, row);
  return schemaProblem(table, row) ?? await indexProblem(kv, table, row);
}

/** Looks for the keys that list a row. */
async function indexProblem(
  kv: Deno.Kv,
  { indexRows }: TableDescription,
  { key, value }: StoredRow,
): Promise<string | null> {
  for (const index of indexRows?.(value as never, key) ?? []) {
    const found = await kv.get(index.key);
    if (found.versionstamp === null) return `not in its index ${String(index.key[0])}`;
    if (!isDeepStrictEqual(found.value, index.value)) {
      return `its index ${String(index.key[0])} has another value`;
    }
  }
  return null;
}

/** Looks for the row that a key of an index leads to. */
async function strayProblem(
  kv: Deno.Kv,
  table: TableDescription,
  { key }: StoredRow,
): Promise<string | null> {
  const rowKey = table.rowKeyIn?.(key) ?? null;
  if (rowKey === null) return null;
  const { value, versionstamp } = await kv.get(rowKey);
  if (versionstamp === null) return "leads to no row";
  // A row that does not fit is reported itself, and may lack what its indexes are made of.
  if (schemaProblem(table, { key: rowKey, value }) !== null) return null;
  const listed = table.indexRows!(value as never, rowKey);
  return listed.some((index) => isDeepStrictEqual(index.key, key))
    ? null
    : "leads to a row that does not belong there";
}
