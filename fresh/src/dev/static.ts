import type { StaticFile } from "../snapshot.ts";

/** A static file as the build writes it down. */
export interface FileRecord {
  hash: string;
  contentType: string;
  size: number;
  /** Absolute path, or relative to the site's root. */
  path: string;
}

const TYPES: Record<string, string> = {
  avif: "image/avif",
  css: "text/css; charset=utf-8",
  gif: "image/gif",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  map: "application/json",
  mp4: "video/mp4",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  wasm: "application/wasm",
  webm: "video/webm",
  webmanifest: "application/manifest+json",
  webp: "image/webp",
  woff2: "font/woff2",
  xml: "application/xml",
};

// Small files are kept in memory once read: a build has few of them, and they never change.
const KEPT = 128 * 1024;

export function contentType(name: string): string {
  return TYPES[name.slice(name.lastIndexOf(".") + 1).toLowerCase()] ??
    "application/octet-stream";
}

/** The content hash of bytes: 16 hexadecimal digits of their SHA-256. */
export async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return digest.subarray(0, 8).toHex();
}

/** Every file below a folder, by its address. */
export async function staticRecords(folder: string): Promise<Map<string, FileRecord>> {
  const records = new Map<string, FileRecord>();
  const visit = async (path: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(folder + path)) {
      const inner = `${path}/${name}`;
      if (isDirectory) await visit(inner);
      else records.set(inner, await recordOf(folder + inner));
    }
  };
  try {
    await visit("");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return records;
}

async function recordOf(path: string): Promise<FileRecord> {
  const bytes = await Deno.readFile(path);
  return {
    path,
    hash: await hashOf(bytes),
    contentType: contentType(path),
    size: bytes.length,
  };
}

/** A file on disk, as the app serves it. */
export function fileOnDisk({ path, ...facts }: FileRecord): StaticFile {
  let kept: Uint8Array<ArrayBuffer> | undefined;
  return {
    ...facts,
    async read() {
      if (kept !== undefined) return kept;
      const bytes = await Deno.readFile(path);
      if (bytes.length <= KEPT) kept = bytes;
      return bytes;
    },
  };
}

/** A file that exists in memory only. */
export function fileInMemory(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  hash: string,
): StaticFile {
  return {
    hash,
    contentType: contentType(name),
    size: bytes.length,
    read: () => Promise.resolve(bytes),
  };
}
