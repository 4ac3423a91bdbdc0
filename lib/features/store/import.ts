/** Imports an export into an empty database, which stays read-only until its chains are reconciled. */
import { createHash } from "node:crypto";
import { utf8 } from "../../base/encoding.ts";
import {
  FORMAT,
  FORMAT_KEY,
  INCOMPLETE,
  OLDEST,
  type TableDescription,
  tableFinder,
  transact,
} from "../../platform/kv/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import {
  EXPORT_FORMAT,
  type ExportHeader,
  footerSchema,
  headerSchema,
  MAX_LINE_BYTES,
  rowFromLine,
} from "./export_format.ts";
import type { StoredRow } from "./file_rows.ts";
import { schemaProblem } from "./schema_check.ts";
import { importedFormat, madeBeforeRelease } from "../../platform/store/mod.ts";
import { STORE_KEY, type StoreMarker } from "../../platform/store/marker.ts";

interface Imported {
  ok: true;
  header: ExportHeader;
  rows: number;
  /** How many rows have expired since the export, and were left out. */
  expired: number;
  /** They are imported nevertheless. */
  unfit: UnfitRows;
}

/** The rows that do not fit the schema of their table. */
export interface UnfitRows {
  count: number;
  /** The problems of the first {@link EXAMPLES} of them, without values, which may be personal. */
  examples: string[];
}

const EXAMPLES = 5;

type Refusal =
  | "not_empty"
  | "incomplete"
  | "not_an_export"
  | "too_old"
  | "too_new"
  | "damaged"
  | "changed";

/** At most 1,000 mutations are allowed, and 80 KiB of keys. */
const ROWS_PER_COMMIT = 500;
/** A value can take more bytes in the store than in its line, and 800 KiB are allowed. */
const LENGTH_PER_COMMIT = 300_000;

/**
 * Imports an export into an empty store, in constant memory. Until all of it has been written and its
 * digest verified, the store has a format that no build opens. Then it becomes a restored copy, which
 * is read-only until its chains are reconciled.
 *
 * @param options.kvPath the value of `KV_PATH`
 * @param lines the lines of the export, without their ends
 */
export async function importStore(
  { kv, kvPath, clock, tables }: {
    kv: Deno.Kv;
    kvPath: string | undefined;
    clock: () => number;
    tables: readonly TableDescription[];
  },
  lines: AsyncIterable<string>,
): Promise<Imported | Failure<Refusal>> {
  const reader = lines[Symbol.asyncIterator]();
  const first = await reader.next();
  const header = parsed(headerSchema, first.done ? "" : first.value);
  if (header === null) return refuse("not_an_export");
  if (header.gatehouse_export > EXPORT_FORMAT) return refuse("too_new");
  const { store_format: version } = header;
  if (version === null || version < OLDEST) {
    return fail("too_old", { message: `The export was ${madeBeforeRelease(version, kvPath)}.` });
  }
  if (version > FORMAT) return refuse("too_new");

  const claimed = await claim(kv);
  if (!claimed.ok) return claimed;
  const hash = createHash("sha256").update(utf8(`${first.value}\n`));
  const batch = createBatch(kv, clock);
  const tableOf = tableFinder(tables);
  const unfit: UnfitRows = { count: 0, examples: [] };
  let format: unknown;
  let rows = 0;
  let expired = 0;
  let line = await reader.next();
  for (let next = await reader.next(); !next.done; line = next, next = await reader.next()) {
    hash.update(utf8(`${line.value}\n`));
    let row: StoredRow;
    try {
      row = rowFromLine(line.value);
    } catch {
      return refuse("damaged");
    }
    rows++;
    const isFormat = row.key.length === 1 && row.key[0] === FORMAT_KEY[0];
    if (row.expires !== null && row.expires <= clock()) {
      expired++;
      continue;
    }
    const table = tableOf(row.key);
    const problem = table === undefined ? null : schemaProblem(table, row);
    if (problem !== null && unfit.count++ < EXAMPLES) unfit.examples.push(problem);
    if (isFormat) format = row.value;
    else await batch.add(row, line.value.length);
  }
  await batch.flush();
  const footer = parsed(footerSchema, line.done ? "" : line.value);
  const isWhole = footer?.rows === rows && footer.sha256 === hash.digest("hex");
  if (!isWhole || Object(format).version !== version) return refuse("damaged");

  const imported_at = new Date(clock()).toISOString();
  const { exported_at, trust_host } = header;
  const store: StoreMarker = {
    ...header.store ?? { id: crypto.randomUUID(), created_at: imported_at },
    restored: { exported_at, imported_at, trust_host },
  };
  const { ok } = await kv.atomic().check(claimed.entry).set(STORE_KEY, store)
    .set(FORMAT_KEY, importedFormat(format)).commit();
  return ok ? { ok: true, header, rows, expired, unfit } : refuse("changed");
}

function parsed<Value>(
  schema: { safeParse(value: unknown): { data?: Value } },
  line: string,
): Value | null {
  try {
    return schema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

/** Marks an empty store as an incomplete import. */
function claim(kv: Deno.Kv) {
  return transact<{ ok: true; entry: Deno.AtomicCheck } | Failure<Refusal>>(async () => {
    const format = await kv.get<{ version: number }>(FORMAT_KEY);
    if (format.value?.version === INCOMPLETE) return { result: refuse("incomplete") };
    const entries = await Array.fromAsync(kv.list({ prefix: [] }, { limit: 1 }));
    if (entries.length > 0) return { result: refuse("not_empty") };
    const { ok, versionstamp } = await kv.atomic().check(format)
      .set(FORMAT_KEY, { version: INCOMPLETE }).commit() as Deno.KvCommitResult;
    return { result: ok ? { ok, entry: { key: FORMAT_KEY, versionstamp } } : refuse("not_empty") };
  });
}

/** Collects rows and writes them in few commits. */
function createBatch(kv: Deno.Kv, clock: () => number) {
  let rows: StoredRow[] = [];
  let length = 0;

  /** Writes rows in one commit, or in several if they are too large together. */
  async function write(rows: readonly StoredRow[]): Promise<void> {
    const commit = kv.atomic();
    for (const { key, value, expires } of rows) {
      commit.set(key, value, expires === null ? {} : { expireIn: Math.max(1, expires - clock()) });
    }
    try {
      await commit.commit();
    } catch (error) {
      if (rows.length === 1 || !isTooLarge(error)) throw error;
      const half = Math.ceil(rows.length / 2);
      await write(rows.slice(0, half));
      await write(rows.slice(half));
    }
  }

  async function flush() {
    if (rows.length > 0) await write(rows);
    rows = [];
    length = 0;
  }

  return {
    async add(row: StoredRow, lineLength: number) {
      if (length + lineLength > LENGTH_PER_COMMIT || rows.length === ROWS_PER_COMMIT) await flush();
      rows.push(row);
      length += lineLength;
    },
    flush,
  };
}

const isTooLarge = (error: unknown) =>
  error instanceof TypeError && /too large/i.test(error.message);

const MESSAGES: Record<Exclude<Refusal, "too_old">, string> = {
  not_empty: "The store is not empty.",
  incomplete: "The store contains an import that was not completed. Delete it and import again.",
  not_an_export: "This is not an export.",
  too_new: "The export is from a newer version of the site. Import it with that version.",
  damaged: "The export is damaged or incomplete. Delete the store before you import another one.",
  changed: "Something else has written to the store. Stop every site that uses the store, delete " +
    "it, and import again.",
};

const refuse = (code: keyof typeof MESSAGES): Failure<Refusal> =>
  fail(code, { message: MESSAGES[code] });

/** Splits text into lines, without their ends. A last line without an end is a line too. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    if (rest.length > MAX_LINE_BYTES) break; // cannot be an export
    yield* lines;
  }
  if (rest !== "") yield rest;
}
