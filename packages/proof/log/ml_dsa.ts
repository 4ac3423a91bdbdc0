/**
 * Verifies countersignatures with ML-DSA-44.
 *
 * @module
 */
import { type Bytes, concatBytes, utf8 } from "../../../lib/base/bytes.ts";
import { decodeBase64 } from "../../../lib/base/encoding.ts";

/** The label of what is signed, which is 12 bytes. */
const LABEL = "subtree/v1\n\0";

/**
 * Returns whether a witness has signed a checkpoint with ML-DSA-44 (C2SP tlog-cosignature, type 0x06). The library
 * that verifies it is loaded with the first such signature.
 *
 * @param text the text of the checkpoint
 * @param time seconds since 1970
 */
export async function isMlDsaCosignature(
  key: { name: string; publicKey: Bytes },
  signature: Bytes,
  text: string,
  time: number,
): Promise<boolean> {
  const message = cosignedMessage(key.name, text, time);
  if (message === null) return false;
  const { ml_dsa44 } = await import("@noble/post-quantum/ml-dsa.js");
  try {
    return ml_dsa44.verify(signature, message, key.publicKey);
  } catch {
    return false; // the key is malformed
  }
}

/** Returns the bytes that a witness signs; null for a text that is not a checkpoint, or names that are too long. */
export function cosignedMessage(name: string, text: string, time: number): Bytes | null {
  const [origin, size, root = ""] = text.split("\n");
  const hash = decodeBase64(root);
  const names = [name, origin].map(utf8);
  if (hash?.length !== 32 || !/^\d{1,16}$/.test(size)) return null;
  if (names.some(({ length }) => length < 1 || length > 255)) return null;
  const [cosigner, log] = names.map((bytes) => concatBytes([Uint8Array.of(bytes.length), bytes]));
  const numbers = [time, 0, Number(size)].map(uint64);
  return concatBytes([utf8(LABEL), cosigner, numbers[0], log, numbers[1], numbers[2], hash]);
}

function uint64(value: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}
