/** The migration that encrypts rows again after `APP_SECRET` was replaced. */
import type { Bytes } from "../../base/encoding.ts";
import type { SealPurpose, Secrets } from "../../base/secrets.ts";
import { keyAfter, type TableDescription, transact } from "../kv/mod.ts";
import type { Step } from "./migration.ts";

const BATCH = 100;

interface Sealed<Row> {
  kv: Deno.Kv;
  secrets: Secrets;
  purpose: SealPurpose;
  /** The tables, in the order in which rows move from one to the next. One may occur twice. */
  tables: readonly TableDescription[];
  /** Returns the encrypted value of a row, if it has one, and its place. */
  sealedIn(row: Row, key: Deno.KvKey): { sealed: Bytes; context: string } | null;
  with(row: Row, sealed: Bytes): Row;
  /** Returns when the store removes a row, in milliseconds since 1970; undefined if it does not. */
  expiresAt?(row: Row): number;
  clock: () => number;
}

/**
 * Encrypts rows with the current secret. The cursor is the index of the table and the key of the last row,
 * as JSON.
 */
export function resealStep<Row>(options: Sealed<Row>): Step {
  const { kv, tables } = options;
  return {
    async batch(cursor) {
      const [index, key] = cursor === ""
        ? [0, [] as Deno.KvKeyPart[]]
        : JSON.parse(cursor) as [number, Deno.KvKeyPart[]];
      const { prefix } = tables[index];
      const after = key.length === 0 ? {} : { start: keyAfter(key) };
      const selector = { prefix: [prefix], ...after };
      const rows = await Array.fromAsync(kv.list<Row>(selector, { limit: BATCH }));
      for (const { key } of rows) await resealRow(options, key);
      const place = rows.length === BATCH ? [index, rows.at(-1)!.key] : [index + 1, []];
      const next = place[0] === tables.length ? null : JSON.stringify(place);
      return { indexed: rows.length, next };
    },
  };
}

const resealRow = <Row>(
  { kv, secrets, purpose, sealedIn, with: change, expiresAt, clock }: Sealed<Row>,
  key: Deno.KvKey,
): Promise<void> =>
  transact(async () => {
    const entry = await kv.get<Row>(key);
    const found = entry.versionstamp === null ? null : sealedIn(entry.value, key);
    const sealed = found && await secrets.reseal(purpose, found.sealed, found.context);
    if (sealed === null || entry.versionstamp === null) return { result: undefined };
    const expireIn = expiresAt && Math.max(1, expiresAt(entry.value) - clock());
    const row = change(entry.value, sealed);
    const commit = kv.atomic().check(entry).set(key, row, { expireIn });
    return { result: undefined, commit };
  });
