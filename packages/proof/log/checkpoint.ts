/**
 * Checkpoints: a log's signed statement of its size and root (C2SP tlog-checkpoint).
 *
 * @module
 */
import type { Bytes } from "../../../lib/base/bytes.ts";
import { decodeBase64, encodeBase64 } from "../../../lib/base/encoding.ts";
import { EMPTY_ROOT, isEqual } from "./merkle.ts";
import { isKeyName, type Note, parseNote } from "./note.ts";

/** A log's statement of its size and root (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** The log's name, such as `trust.example/log`. */
  origin: string;
  size: number;
  root: Bytes;
}

/** A checkpoint as it was signed. */
export interface SignedCheckpoint extends Checkpoint {
  note: Note;
}

/** Returns the text that is signed, without extension lines. */
export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${encodeBase64(root)}\n`;

/**
 * Returns a checkpoint whose signatures are not verified yet. Null if it is malformed: a size with a
 * leading zero, a root that does not have 32 bytes, an empty extension line, or an empty tree with another
 * root than that of the empty tree.
 */
export function parseCheckpoint(text: string): SignedCheckpoint | null {
  const checkpoint = readCheckpoint(text);
  if (checkpoint?.size === 0 && !isEqual(checkpoint.root, EMPTY_ROOT)) return null;
  return checkpoint;
}

/** Like {@link parseCheckpoint}, for witnesses, which refuse an empty tree with another root later. */
export function readCheckpoint(text: string): SignedCheckpoint | null {
  const note = parseNote(text);
  if (note === null) return null;
  const [origin, size, root, ...extensions] = note.text.slice(0, -1).split("\n");
  if (!isKeyName(origin) || size === undefined || root === undefined) return null;
  const bytes = decodeBase64(root);
  if (bytes?.length !== 32 || extensions.includes("")) return null;
  const number = parseSize(size);
  return number === null ? null : { origin, size: number, root: bytes, note };
}

/** Returns a size in decimal digits without leading zeros; null for any other text. */
export function parseSize(text: string): number | null {
  if (!/^(?:0|[1-9]\d{0,15})$/.test(text)) return null;
  const size = Number(text);
  return Number.isSafeInteger(size) ? size : null;
}
