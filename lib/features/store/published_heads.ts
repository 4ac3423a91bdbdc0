/** Reads signed chain heads from a file, to compare a restored database with what was published. */
import { MAX_FILE_BYTES, parseSavedChain } from "../../../packages/proof/mod.ts";
import { heads } from "../chain/mod.ts";
import { headerSchema, rowFromLine } from "./export_format.ts";
import { fileRows } from "./file_rows.ts";
import { linesOf } from "./import.ts";

/** Thrown for a file that contains no heads. The message is one line. */
export class NoHeadsError extends Error {
  override name = "NoHeadsError";
}

const SQLITE = "SQLite format 3\0";

/**
 * Reads the heads in a file: an export, a backup, or a chain that a reader saved.
 *
 * @throws {NoHeadsError} if it is none of these
 */
export async function* publishedHeads(path: string): AsyncGenerator<unknown> {
  const begin = new TextDecoder().decode(await firstBytes(path));
  if (begin.startsWith(SQLITE)) yield* headsOfBackup(path);
  else if (begin.startsWith('{"gatehouse_export"')) yield* headsOfExport(path);
  else yield await headOfSavedChain(path);
}

async function firstBytes(path: string): Promise<Uint8Array> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(SQLITE.length + 8);
  return bytes.subarray(0, await file.read(bytes) ?? 0);
}

function* headsOfBackup(path: string): Generator<unknown> {
  for (const { value } of fileRows(path, isHead)) yield value;
}

async function* headsOfExport(path: string): AsyncGenerator<unknown> {
  using file = await Deno.open(path);
  const start = JSON.stringify({ key: [heads.prefix] }).slice(0, -"]}".length);
  let isFirst = true;
  for await (const line of linesOf(file.readable)) {
    if (isFirst && !headerSchema.safeParse(JSON.parse(line)).success) break;
    isFirst = false;
    if (!line.startsWith(start)) continue;
    const { key, value } = rowFromLine(line);
    if (isHead(key)) yield value;
  }
}

const isHead = (key: Deno.KvKey) => key.length === 2 && key[0] === heads.prefix;

async function headOfSavedChain(path: string): Promise<unknown> {
  const { size } = await Deno.stat(path);
  const parsed = size > MAX_FILE_BYTES ? null : parseSavedChain(await Deno.readTextFile(path));
  if (!parsed?.ok) throw new NoHeadsError(`${path} is not an export, a backup or a saved chain.`);
  return parsed.chain.head;
}
