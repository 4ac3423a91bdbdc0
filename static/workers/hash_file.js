// @ts-check
/**
 * A web worker that computes the SHA-256 hash of a file piece by piece, so that a large file neither
 * freezes the page nor fills the memory. The build bundles it with its import.
 *
 * The page sends `{file, prefix}` and gets `{done}` with the number of bytes after each piece, then
 * `{sha256}`, or `{error: "unreadable"}`. The bytes of `prefix` are hashed before those of the file.
 */
import { sha256 } from "@noble/hashes/sha2.js";

const PIECE = 4 * 1024 * 1024;

/** @param {{ file: Blob, prefix: string }} message */
async function hash({ file, prefix }) {
  const hasher = sha256.create().update(new TextEncoder().encode(prefix));
  /** @param {number} at */
  const read = (at) => file.slice(at, at + PIECE).arrayBuffer();
  let next = read(0);
  for (let at = 0; at < file.size; at += PIECE) {
    const piece = await next;
    if (at + PIECE < file.size) next = read(at + PIECE); // while this piece is hashed
    hasher.update(new Uint8Array(piece));
    postMessage({ done: at + piece.byteLength });
  }
  const digits = Array.from(hasher.digest(), (byte) => byte.toString(16).padStart(2, "0"));
  postMessage({ sha256: digits.join("") });
}

addEventListener("message", ({ data }) => {
  hash(data).catch(() => postMessage({ error: "unreadable" }));
});
