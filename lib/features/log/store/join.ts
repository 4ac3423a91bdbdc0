/** Stores checkpoints, and adds countersignatures to those that are stored. */
import { dayOf } from "../../../base/time.ts";
import { reserveCheck, transact } from "../../../platform/kv/mod.ts";
import {
  formatNote,
  type NoteSignature,
  parseCheckpoint,
  type SignedCheckpoint,
} from "../../../../packages/proof/mod.ts";
import {
  type CheckpointRow,
  lineOf,
  logCheckpoint,
  logCheckpoints,
  logDays,
  logHalted,
  type NewestRow,
} from "./tables.ts";

/** The longest text of a stored checkpoint, in UTF-16 units. A value of the store has at most 64 KiB. */
const MAX_TEXT = 30_000;

/**
 * Returns the row of a checkpoint. Every signature by another key than the log's is a countersignature. The last ones
 * are left out if the row would be too long.
 *
 * @param checkpoint the log's own signatures come first
 */
export function checkpointRowOf(
  { note: { text, signatures }, origin, size }: SignedCheckpoint,
  signedAt: string,
): CheckpointRow {
  const kept = [...signatures];
  let note = formatNote({ text, signatures: kept });
  while (note.length > MAX_TEXT) {
    kept.pop();
    note = formatNote({ text, signatures: kept });
  }
  const cosigned = kept.filter(({ name }) => name !== origin).map(lineOf);
  return { size, text: note, signed_at: signedAt, cosigned };
}

/**
 * Returns a row with more signatures. The log's own ones come first.
 *
 * @param which of two signatures of one key stays
 */
function withLines(
  row: CheckpointRow,
  lines: readonly NoteSignature[],
  which: "first" | "last",
): CheckpointRow {
  const checkpoint = parseCheckpoint(row.text)!;
  const { origin, note: { text, signatures } } = checkpoint;
  const byKey = new Map(signatures.map((each) => [lineOf(each), each]));
  for (const line of lines) {
    const key = lineOf(line);
    if (which === "last" || !byKey.has(key)) byKey.set(key, line);
  }
  const all = [...byKey.values()];
  const isOwn = ({ name }: NoteSignature) => name === origin;
  const sorted = [...all.filter(isOwn), ...all.filter((each) => !isOwn(each))];
  return checkpointRowOf(
    { ...checkpoint, note: { text, signatures: sorted } },
    row.signed_at,
  );
}

/**
 * Stores a checkpoint that the log has signed, and publishes it unless a larger one is published. If one of its
 * size is stored, the signatures join it.
 *
 * @param options.signedAt when it was signed, ISO 8601. Without it, nothing new is stored: the signatures join
 * the checkpoint if its very text is stored
 */
export function storeCheckpoint(
  kv: Deno.Kv,
  clock: () => number,
  checkpoint: SignedCheckpoint,
  { signedAt }: { signedAt?: string } = {},
): Promise<void> {
  const { size, note } = checkpoint;
  return transact(async () => {
    const [newest, stored, halted] = await Promise.all([
      logCheckpoint.get(kv),
      logCheckpoints.get(kv, size),
      logHalted.get(kv),
    ]);
    const isSame = stored.value !== null && isTextOf(note.text, stored.value);
    if (halted.value !== null || signedAt === undefined && !isSame) return { result: undefined };
    const commit = kv.atomic().check(halted, newest, stored);
    reserveCheck(commit);

    const row = isSame
      ? withLines(stored.value!, note.signatures, "first")
      : checkpointRowOf(checkpoint, signedAt!);
    const isJoined = isSame && row.text !== stored.value!.text;
    const isWritten = !isSame || isJoined;
    if (isWritten) logCheckpoints.replace(commit, stored, row);
    const isNewSize = stored.value === null && size > (newest.value?.size ?? 0);

    const next = newestOf(newest.value, row, checkpoint, signedAt);
    const joined = (newest.value?.joined ?? 0) + (isWritten && !isNewSize ? 1 : 0);
    const isChanged = next.text !== newest.value?.text || joined !== newest.value.joined;
    if (!isChanged && signedAt === undefined) return { result: undefined };
    logCheckpoint.replace(commit, newest, { ...next, joined });
    if (signedAt !== undefined && next.size === size) logDays.put(commit, [dayOf(clock())], size);
    return { result: undefined, commit };
  });
}

/** Returns the newest checkpoint once a row is stored. A smaller size never replaces a larger one. */
function newestOf(
  before: NewestRow | null,
  row: CheckpointRow,
  { size, note }: SignedCheckpoint,
  signedAt: string | undefined,
): CheckpointRow {
  if (before === null || before.size < size) return row;
  const { joined: _, ...published } = before;
  if (published.size > size) return published;
  const renewed = withLines(published, note.signatures, "last");
  return { ...renewed, signed_at: signedAt ?? published.signed_at };
}

const isTextOf = (text: string, row: CheckpointRow): boolean =>
  parseCheckpoint(row.text)?.note.text === text;
