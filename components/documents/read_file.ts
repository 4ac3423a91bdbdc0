import { encodeHex } from "../../lib/base/bytes.ts";

/** A file that was read, with its SHA-256 in hexadecimal digits. */
export interface ReadFile {
  bytes: Uint8Array<ArrayBuffer>;
  sha256: string;
}

/** Reads a file of this site and hashes it. Rejects if it cannot be read. */
export async function readFile(url: string): Promise<ReadFile> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The file could not be read: ${response.status}.`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return { bytes, sha256: encodeHex(new Uint8Array(digest)) };
}
