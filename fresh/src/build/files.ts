/** Lists, hashes and describes files for the build. */
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { extname } from "node:path";
import * as mediaTypes from "@std/media-types";
import type { FileRecord } from "../assets.ts";

// The npm package has no types.
const contentType: (extension: string) => string | undefined = mediaTypes.contentType;

/** Returns the first 16 hexadecimal digits of the data's SHA-256. */
export function hashOf(data: string | Uint8Array): string {
  return hash("sha256", data).slice(0, 16);
}

/** Describes a file with this path and content. */
export function recordOf(path: string, bytes: Uint8Array): FileRecord {
  return {
    path,
    hash: hashOf(bytes),
    contentType: contentType(extname(path)) ?? "application/octet-stream",
    size: bytes.length,
  };
}

const HIDDEN = /\/\.(?!well-known\/)/;

/** Describes every file below a folder, by its URL path, except hidden ones. */
export async function staticRecords(folder: string): Promise<Map<string, FileRecord>> {
  const records = new Map<string, FileRecord>();
  for (const path of await filesBelow(folder)) {
    const url = path.slice(folder.length);
    if (!HIDDEN.test(url)) records.set(url, recordOf(path, await Deno.readFile(path)));
  }
  return records;
}

/** Returns the paths of all files below a folder in order; none when the folder doesn't exist. */
export async function filesBelow(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => `${parentPath}/${name}`).sort();
}
