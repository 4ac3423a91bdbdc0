/** The export of the site's database to a portable format, which `import.ts` reads. */
import { createHash } from "node:crypto";
import { utf8 } from "../../base/encoding.ts";
import {
  commitTable,
  FORMAT_KEY,
  type TableDescription,
  tableFinder,
} from "../../platform/kv/mod.ts";
import { DAY_MS } from "../../base/time.ts";
import { expiryIn, EXPORT_FORMAT, type ExportHeader, rowToLine } from "./export_format.ts";
import { fileRows, type StoredRow } from "./file_rows.ts";
import { STORE_KEY, storeIds, type StoreMarker } from "../../platform/store/marker.ts";

export interface ExportOptions {
  kv: Deno.Kv;
  /** The store's file; null if it is not a file. */
  path: string | null;
  clock: () => number;
  /** The host that signs the chains. */
  trustHost: string;
  revision: string | null;
  tables: readonly TableDescription[];
}

interface Exported {
  rows: number;
  snapshot: boolean;
  sha256: string;
}

const CHUNK_LENGTH = 256 * 1024;

/**
 * Writes all rows of a store as JSON lines (`export_format.ts`), in constant memory. Encrypted values
 * are written as they are stored. Rows that have expired are left out.
 *
 * @param write called with one part of the export after the other
 */
export async function exportStore(
  { kv, path, clock, trustHost, revision, tables }: ExportOptions,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<Exported> {
  const hash = createHash("sha256");
  let pending = "";
  const flush = async () => {
    const bytes = utf8(pending);
    pending = "";
    hash.update(bytes);
    await write(bytes);
  };
  const now = clock();
  const snapshot = path !== null;
  const { store, format } = await readState(kv);
  const header: ExportHeader = {
    gatehouse_export: EXPORT_FORMAT,
    store_format: format,
    revision,
    store: store && { id: store.id, created_at: store.created_at },
    exported_at: new Date(now).toISOString(),
    trust_host: store?.restored?.trust_host ?? trustHost,
    snapshot,
  };
  pending = `${JSON.stringify(header)}\n`;
  let rows = 0;
  for await (const row of snapshot ? fileRows(path) : listedRows(kv, tables)) {
    const [prefix] = row.key;
    if (row.expires !== null && row.expires <= now) continue;
    if (row.key.length === 1 && prefix === STORE_KEY[0]) continue; // in the header
    if (prefix === commitTable.prefix) continue; // of use only to the process that wrote it
    if (prefix === storeIds.prefix) continue; // a copy gets its own
    rows++;
    pending += `${rowToLine(row)}\n`;
    if (pending.length >= CHUNK_LENGTH) await flush();
  }
  await flush();
  const sha256 = hash.digest("hex");
  await write(utf8(`${JSON.stringify({ rows, sha256 })}\n`));
  return { rows, snapshot, sha256 };
}

async function readState(kv: Deno.Kv) {
  const [store, format] = await kv.getMany<[StoreMarker, { version: number }]>([
    STORE_KEY,
    FORMAT_KEY,
  ]);
  return { store: store.value, format: format.value?.version ?? null };
}

/** Rows are stored for at most this long after `expires_at`, for example to report an expired link. */
const KEPT_MS = 31 * DAY_MS;

/**
 * Reads all rows of any store in batches. Rows that are written meanwhile may or may not be included,
 * and when a row is deleted is only estimated, because KV Connect does not tell.
 */
export async function* listedRows(
  kv: Deno.Kv,
  tables: readonly TableDescription[],
): AsyncGenerator<StoredRow> {
  const tableOf = tableFinder(tables);
  let cursor = "";
  do {
    const batch = kv.list({ prefix: [] }, { cursor, limit: BATCH, batchSize: BATCH });
    for await (const { key, value } of batch) {
      const isDeleted = tableOf(key)?.lifetime.removedBy === "store";
      const expiry = isDeleted ? expiryIn(value) : undefined;
      yield { key, value, expires: expiry === undefined ? null : expiry + KEPT_MS };
    }
    cursor = batch.cursor;
  } while (cursor !== "");
}

const BATCH = 200;
