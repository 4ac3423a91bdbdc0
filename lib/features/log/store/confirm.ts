/** Confirms with witnesses and the anchor, before anything is published, that the store's log is the newest. */
import { MINUTE_MS } from "../../../base/time.ts";
import {
  EMPTY_ROOT,
  formatCheckpoint,
  formatNote,
  type NoteSignature,
  parseCheckpoint,
  type Policy,
  satisfiesQuorum,
} from "../../../../packages/proof/mod.ts";
import { type Anchor, formatAnchor } from "./anchor.ts";
import type { AskAll, Asked } from "./ask_all.ts";
import { UNKNOWN_LOG } from "./ask_witness.ts";
import { logCheckpoint } from "./tables.ts";
import { extendsAnchored, storedTiles } from "./tree.ts";
import type { Waiting } from "./waiting.ts";

/** How long a process waits at most for witnesses without which the log may go on. */
const UNCONFIRMED_MS = 2 * MINUTE_MS;

/** The name of the anchor in the row of a halted log. */
const ANCHOR = "anchor";

/**
 * Compares the anchor with the tree. Halts the log if the anchor has a larger tree, or another root at its size.
 *
 * @returns `unknown` if there is no anchor, or nothing was written to it yet
 */
export async function isAnchored(
  { kv, anchor }: { kv: Deno.Kv; anchor?: Anchor | undefined },
  { stop }: Pick<AskAll, "stop">,
): Promise<"agrees" | "unknown" | "differs"> {
  const anchored = await anchor?.read() ?? null;
  if (anchored === null || anchored.size === 0) return "unknown";
  // After the anchor was read, which another process may have written.
  if (await extendsAnchored(kv, anchored)) return "agrees";
  await stop({ by: ANCHOR, checkpoint: "", response: formatAnchor(anchored) });
  return "differs";
}

/**
 * Returns whether a reply shows that the witness knows no larger tree. If nothing is published, that is so too if
 * it refuses the empty tree, for example because it signs none.
 */
const isAnswer = ({ reply }: Asked["replies"][number], isEmpty: boolean): boolean =>
  reply.kind !== "failed" || reply.what === UNKNOWN_LOG ||
  isEmpty && /^status 4(?!29)/.test(reply.what);

export interface ConfirmOptions {
  kv: Deno.Kv;
  clock: () => number;
  log: (entry: Record<string, unknown>) => void;
  origin: string;
  /** The policy whose quorum must answer; undefined if the log may go on without it. */
  required?: Policy;
  anchor?: Anchor | undefined;
  /** Called when the log goes on although none of its witnesses has answered. Default: does nothing. */
  onUnconfirmed?(witnesses: readonly string[]): Promise<void>;
  sign(text: string): Promise<NoteSignature[]>;
  askAll: AskAll;
  waiting: Waiting;
}

/**
 * Creates the function that submits the newest published checkpoint to all witnesses again, before this process
 * sequences anything, and compares the anchor. No other tree is signed, only the empty one if nothing is
 * published: every tree extends it, and a witness that has seen a larger one of this log says so.
 *
 * If witnesses are asked and none answers, the log waits: with a required quorum until that has answered,
 * otherwise for two minutes, or not at all if the anchor agrees. Once it has gone on, it only asks.
 */
export function createConfirm(
  { kv, clock, log, origin, required, anchor, ...options }: ConfirmOptions,
) {
  const { sign, askAll, waiting, onUnconfirmed } = options;
  let isConfirmed = false;
  /** When this process began to wait. */
  let since: number | null = null;

  async function goOn(): Promise<"confirmed"> {
    isConfirmed = true;
    await waiting.end();
    return "confirmed";
  }

  return async (): Promise<"confirmed" | "waiting" | "halted"> => {
    const anchored = await isAnchored({ kv, anchor }, askAll);
    if (anchored === "differs") return "halted";
    const { value: published } = await logCheckpoint.get(kv);
    const checkpoint = published && parseCheckpoint(published.text);
    const text = checkpoint?.note.text ?? formatCheckpoint({ origin, size: 0, root: EMPTY_ROOT });
    const stored = checkpoint?.note.signatures.filter(({ name }) => name === origin) ?? [];
    // Also by a key that has replaced the stored one, because a witness may know only that.
    const added = (await sign(text)).filter(({ id }) => stored.every((each) => each.id !== id));
    const note = formatNote({ text, signatures: [...stored, ...added] });
    const submission = { note, text, size: checkpoint?.size ?? 0, readTiles: storedTiles(kv) };
    const asked = await askAll.ask(submission, { patient: required !== undefined });
    if (asked.halted) return "halted";
    await askAll.join(submission, asked);
    if (isConfirmed) return "confirmed";

    const { replies } = asked;
    const answered = replies.filter((each) => isAnswer(each, checkpoint === null));
    const missing = replies.filter((each) => !answered.includes(each))
      .map(({ witness }) => witness.name);
    const isEnough = required === undefined
      ? answered.length > 0
      : satisfiesQuorum(required, new Set(answered.map(({ witness }) => witness.name)));
    if (replies.length === 0 || isEnough) return await goOn();
    if (required === undefined) {
      // An anchor that was never written agrees with a log that has published nothing.
      const isNew = anchor !== undefined && published === null;
      if (anchored === "agrees" || isNew) return await goOn();
      since ??= clock();
      // Also if the clock was set back since.
      if (Math.abs(clock() - since) >= UNCONFIRMED_MS) {
        const witnesses = missing.join(", ");
        log({ level: "error", event: "log_unconfirmed", witnesses });
        await onUnconfirmed?.(missing);
        return await goOn();
      }
    }
    await waiting.begin(missing);
    return "waiting";
  };
}
