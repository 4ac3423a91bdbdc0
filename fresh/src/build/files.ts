import type { StaticFile } from "../assets.ts";

/** A static file as `_fresh/server.js` lists it. */
export interface FileRecord {
  hash: string;
  contentType: string;
  size: number;
  path: string;
}

const CONTENT_TYPES: Record<string, string> = {
  avif: "image/avif",
  css: "text/css; charset=UTF-8",
  gif: "image/gif",
  html: "text/html; charset=UTF-8",
  ico: "image/x-icon",
  jpg: "image/jpeg",
  js: "text/javascript; charset=UTF-8",
  json: "application/json; charset=UTF-8",
  mp4: "video/mp4",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=UTF-8",
  wasm: "application/wasm",
  webm: "video/webm",
  webmanifest: "application/manifest+json; charset=UTF-8",
  webp: "image/webp",
  woff2: "font/woff2",
  xml: "application/xml",
};

/** Returns the first 16 hexadecimal digits of the bytes' SHA-256. */
export async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return digest.subarray(0, 8).toHex();
}

/** Describes a file with this path and content. */
export async function recordOf(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<FileRecord> {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const contentType = CONTENT_TYPES[extension] ?? "application/octet-stream";
  return { path, hash: await hashOf(bytes), contentType, size: bytes.length };
}

/** Describes every file below a folder, by its URL path; none when the folder doesn't exist. */
export async function staticRecords(folder: string): Promise<Map<string, FileRecord>> {
  const records = new Map<string, FileRecord>();
  for await (const path of filesBelow(folder)) {
    records.set(path.slice(folder.length), await recordOf(path, await Deno.readFile(path)));
  }
  return records;
}

/** Yields the paths of all files below a folder in order; none when the folder doesn't exist. */
export async function* filesBelow(folder: string): AsyncGenerator<string> {
  let entries: Deno.DirEntry[];
  try {
    entries = await Array.fromAsync(Deno.readDir(folder));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  for (const { name, isDirectory } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    if (isDirectory) yield* filesBelow(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}

const MAX_CACHED_BYTES = 128 * 1024;

/** Returns a file on disk. Small files stay in memory once read: those of a build never change. */
export function fileOnDisk({ path, ...record }: FileRecord): StaticFile {
  let cached: Uint8Array<ArrayBuffer> | undefined;
  return {
    ...record,
    async read() {
      if (cached !== undefined) return cached;
      const bytes = await Deno.readFile(path);
      if (bytes.length <= MAX_CACHED_BYTES) cached = bytes;
      return bytes;
    },
  };
}
