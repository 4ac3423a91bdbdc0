/** Formats and parses the body of a request that asks a witness for a cosignature. */
import { type Bytes, utf8 } from "../../base/bytes.ts";
import { decodeBase64, encodeBase64 } from "../../base/encoding.ts";
import {
  MAX_PROOF_HASHES,
  parseSize,
  readCheckpoint,
  type SignedCheckpoint,
} from "../../../packages/proof/mod.ts";

/** The body of an `add-checkpoint` request (C2SP tlog-witness). */
export interface AddCheckpoint {
  /** The size that the witness countersigned last, as far as the client knows. */
  old: number;
  /** The consistency proof from that size to the checkpoint's. */
  proof: Bytes[];
  checkpoint: SignedCheckpoint;
}

/** The longest body that is read, in bytes: enough for a proof and a note with 16 signatures by ML-DSA-44. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Returns the body of a request, for tests and clients. */
export const formatAddCheckpoint = (
  { old, proof, note }: { old: number; proof: readonly Uint8Array[]; note: string },
): Bytes => utf8(`old ${old}\n${proof.map((hash) => `${encodeBase64(hash)}\n`).join("")}\n${note}`);

/**
 * Parses the body of a request. Nothing of it is verified yet.
 *
 * @returns null if it is malformed, or `old` is larger than the checkpoint's size
 */
export function parseAddCheckpoint(body: Bytes): AddCheckpoint | null {
  if (body.length > MAX_BODY_BYTES) return null;
  const text = decodeUtf8(body);
  if (text === null) return null;
  const end = text.indexOf("\n\n");
  if (end < 0) return null;
  const [first, ...hashes] = text.slice(0, end).split("\n");
  const [, digits = ""] = /^old (\d+)$/.exec(first) ?? [];
  const old = parseSize(digits);
  if (old === null || hashes.length > MAX_PROOF_HASHES) return null;
  const proof = hashes.map(decodeBase64);
  if (!proof.every((hash) => hash?.length === 32)) return null;
  const checkpoint = readCheckpoint(text.slice(end + 2));
  if (checkpoint === null || old > checkpoint.size) return null;
  return { old, proof: proof as Bytes[], checkpoint };
}

/** Replacing invalid bytes, or removing a byte order mark, would change what was signed. */
function decodeUtf8(bytes: Bytes): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
