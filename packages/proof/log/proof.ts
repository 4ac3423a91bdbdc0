/**
 * Proofs that an entry is in a log, as text (C2SP tlog-proof).
 *
 * @module
 */
import type { Bytes } from "../../../lib/base/bytes.ts";
import { decodeBase64, encodeBase64 } from "../../../lib/base/encoding.ts";
import { parseSize } from "./checkpoint.ts";
import { MAX_NOTE_BYTES } from "./note.ts";

/** A proof that an entry is in a log (C2SP tlog-proof), without the entry itself. */
export interface LogProof {
  /** The `log_salt` that opens the entry; null if there is none. It is not authenticated. */
  extra: Bytes | null;
  index: number;
  /** The leaf's sibling first. */
  hashes: Bytes[];
  /** The checkpoint with all of its signature lines. */
  checkpoint: string;
}

const HEADER = "c2sp.org/tlog-proof@v1\n";

/** The most hashes of a proof: a tree has at most 2^63 entries. */
export const MAX_PROOF_HASHES = 63;

/** The longest proof that is read, in UTF-16 units. */
const MAX_PROOF = MAX_NOTE_BYTES + 8 * 1024;

/** Returns a proof as text. */
export function formatProof({ extra, index, hashes, checkpoint }: LogProof): string {
  const lines = [
    ...extra === null ? [] : [`extra ${encodeBase64(extra)}`],
    `index ${index}`,
    ...hashes.map(encodeBase64),
  ];
  return `${HEADER}${lines.join("\n")}\n\n${checkpoint}`;
}

/**
 * Returns the proof of a text, whose checkpoint is not read yet. Null if it is malformed. Hashes of
 * another length than 32 bytes are malformed too.
 */
export function parseProof(text: string): LogProof | null {
  if (text.length > MAX_PROOF || !text.startsWith(HEADER)) return null;
  const split = text.indexOf("\n\n");
  if (split < 0) return null;
  const lines = text.slice(HEADER.length, split).split("\n");
  const extra = lines[0].startsWith("extra ") ? decodeBase64(lines.shift()!.slice(6)) : undefined;
  const [, digits] = /^index (\d+)$/.exec(lines.shift() ?? "") ?? [];
  const index = parseSize(digits ?? "");
  if (extra === null || index === null || lines.length > MAX_PROOF_HASHES) return null;
  const hashes = lines.map(decodeBase64);
  if (!hashes.every((hash) => hash?.length === 32)) return null;
  return {
    extra: extra ?? null,
    index,
    hashes: hashes as Bytes[],
    checkpoint: text.slice(split + 2),
  };
}
