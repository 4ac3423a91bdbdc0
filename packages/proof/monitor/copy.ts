/**
 * Reads complete copies of a log, from a folder or an address.
 *
 * @module
 */
import { join } from "node:path";
import { type Bytes, concatBytes } from "../../../lib/base/bytes.ts";
import { decodeBundle, tileBytes, tilePath, tileWidth } from "../log/tiles.ts";

/** A complete copy of a log: a folder with its files, or the address of a log that serves them. */
export interface LogCopy {
  /** Returns a file, such as `checkpoint` or `tile/entries/000`; null if the copy does not have it. */
  read(path: string): Promise<Bytes | null>;
}

/** A copy lacks a file, or the file is not what the checkpoint says. */
export class LogCopyError extends Error {
  override readonly name = "LogCopyError";
}

/** How long a file may take from an address. */
const TIMEOUT_MS = 30_000;
/** The largest file of a log. */
const MAX_BYTES = 64 * 1024;

/**
 * Opens a copy.
 *
 * @param location a folder, or an address such as `https://trust.example/log`
 */
export const openCopy = (location: string, get: typeof fetch): LogCopy =>
  /^https?:/.test(location) ? copyAt(location, get) : folderCopy(location);

export const folderCopy = (folder: string): LogCopy => ({
  read: (path) => readFile(join(folder, path)),
});

const copyAt = (address: string, get: typeof fetch): LogCopy => ({
  async read(path) {
    const response = await get(`${address.replace(/\/+$/, "")}/${path}`, {
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return await readLimited(response, path);
    await response.body?.cancel();
    if (response.status === 404) return null;
    throw new LogCopyError(`${path}: status ${response.status}`);
  },
});

async function readLimited(response: Response, path: string): Promise<Bytes> {
  const parts: Bytes[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.length;
    if (length > MAX_BYTES) throw new LogCopyError(`${path} has more than ${MAX_BYTES} bytes.`);
  }
  return concatBytes(parts);
}

async function readFile(path: string): Promise<Bytes | null> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/**
 * Reads the bundles of a copy in their order, each with the index of its first entry.
 *
 * @throws {LogCopyError} if one is missing or malformed
 */
export async function* readBundles(copy: LogCopy, size: number) {
  for (let index = 0;; index++) {
    const place = { level: "entries" as const, index };
    const bundle = { ...place, width: tileWidth(place, size) };
    if (bundle.width === 0) return;
    const path = tilePath(bundle);
    const bytes = await copy.read(path);
    if (bytes?.length !== tileBytes(bundle)) throw new LogCopyError(`The copy lacks ${path}.`);
    try {
      yield { index, bytes, entries: decodeBundle(bytes) };
    } catch {
      throw new LogCopyError(`${path} does not have entries of 64 bytes.`);
    }
  }
}
