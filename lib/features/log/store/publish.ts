import type { Bytes } from "../../../base/bytes.ts";
import { dayOf, HOUR_MS, MINUTE_MS } from "../../../base/time.ts";
import { reserveCheck, transact } from "../../../platform/kv/mod.ts";
import { formatCheckpoint, parseCheckpoint } from "../checkpoint.ts";
import { EMPTY_ROOT, rootOf } from "../merkle.ts";
import { formatNote, type NoteSignature, type NoteSigner } from "../note.ts";
import { type Policy, satisfiesQuorum } from "../policy.ts";
import { type ReadTiles } from "../tiles.ts";
import { type Anchor, anchorOf, formatAnchor } from "./anchor.ts";
import { askWitness, type Reply, type Submission, type Witness } from "./ask_witness.ts";
import { halt } from "./halt.ts";
import {
  type CheckpointRow,
  type HaltedRow,
  isCountersigned,
  logCheckpoint,
  logCheckpoints,
  logDays,
  logHalted,
  logWitnesses,
  ownOnly,
  type WitnessRow,
} from "./tables.ts";
import { extendsAnchored, readTree, storedTiles } from "./tree.ts";

/** How often a checkpoint is published although nothing was logged, so that a log that stands still shows. */
export const REPUBLISH_MS = HOUR_MS;

/** How often witnesses that have not countersigned are asked again. */
const RETRY_MS = MINUTE_MS;

export interface PublishOptions {
  kv: Deno.Kv;
  clock: () => number;
  origin: string;
  /** Opens the log's keys. */
  signers(): Promise<readonly NoteSigner[]>;
  witnesses(): Promise<readonly Witness[]>;
  /** The policy whose quorum is required; undefined if checkpoints are published without one. */
  required?: Policy;
  anchor?: Anchor | undefined;
  /** Called after a witness that has seen another tree has halted the log. Default: does nothing. */
  onRefused?(evidence: Omit<HaltedRow, "at">): Promise<void>;
  log: (entry: Record<string, unknown>) => void;
}

/** Publishes the checkpoints of a log. */
export type Publisher = ReturnType<typeof createPublisher>;

/** Returns when the log signed its newest published checkpoint, in milliseconds since 1970; null before. */
export async function publishedAt(kv: Deno.Kv): Promise<number | null> {
  const { value } = await logCheckpoint.get(kv);
  return value === null ? null : Date.parse(value.signed_at);
}

export interface Published {
  /** For the job. */
  summary: string;
  /** The number of witnesses that did not respond as expected. */
  failed: number;
}

/** The name of the anchor in the row of a halted log. */
const ANCHOR = "anchor";

const HALTED: Published = { summary: "halted", failed: 0 };

/**
 * Returns whether a witness does not accept a request, for example because it does not know the log yet or does
 * not sign an empty tree. Then it has said all that it says.
 */
const isRefused = (what: string): boolean => /^status 4(?!29)/.test(what);

/** The result of asking all witnesses. */
interface Asked {
  replies: { witness: Witness; reply: Reply }[];
  halted: boolean;
}

export function createPublisher(options: PublishOptions) {
  const { kv, clock, origin, anchor } = options;
  const readTiles: ReadTiles = storedTiles(kv);
  const now = () => new Date(clock()).toISOString();

  /** Halts the log, because somebody has seen another tree. */
  async function stop(by: string, checkpoint: string, response: string): Promise<void> {
    await halt(kv, { by, at: now(), checkpoint, response });
    options.log({ level: "error", event: "log_halted", by, response });
    if (by !== ANCHOR) await options.onRefused?.({ by, checkpoint, response });
  }

  /** Asks all witnesses at the same time with the same bytes, and notes what they replied. */
  async function ask(submission: Submission): Promise<Asked> {
    const witnesses = await options.witnesses();
    const replies = await Promise.all(witnesses.map(async (witness) => {
      const { value: row } = await logWitnesses.get(kv, witness.key.name);
      const reply = await askWitness(witness, submission, row?.size ?? 0);
      await noteReply(witness, row, reply, submission.size);
      return { witness, reply };
    }));
    // Another process may have added entries since the checkpoint was signed.
    const { size } = await readTree(kv);
    let halted = false;
    for (const { witness: { name }, reply } of replies) {
      const response = reply.kind === "refused" && submission.size > 0
        ? reply.response
        : reply.kind === "ahead" && reply.size > size
        ? `409 ${reply.size}`
        : null;
      if (response === null) continue;
      await stop(name, submission.note, response);
      halted = true;
    }
    return { replies, halted };
  }

  async function sign(text: string): Promise<NoteSignature[]> {
    const signers = await options.signers();
    return await Promise.all(signers.map((signer) => signer.sign(text)));
  }

  async function noteReply(
    { key }: Witness,
    before: WitnessRow | null,
    reply: Reply,
    size: number,
  ): Promise<void> {
    const row: WitnessRow = { size: 0, at: null, ...before, problem: null };
    if (reply.kind === "signed") {
      Object.assign(row, { size, at: new Date(reply.time * 1000).toISOString() });
    } else if (reply.kind === "ahead") {
      row.size = reply.size;
    } else {
      const what = reply.kind === "refused" ? reply.response : reply.what;
      row.problem = { what, since: before?.problem?.since ?? now() };
    }
    await kv.set(logWitnesses.key(key.name), row);
  }

  /**
   * Compares the anchor with the tree. Halts the log if the anchor has a larger tree, or another root at
   * its size.
   *
   * @returns false if the log is halted
   */
  async function isAnchored(): Promise<boolean> {
    const anchored = await anchor?.read() ?? null;
    if (anchored === null || anchored.size === 0) return true;
    // After the anchor was read, which another process may have written.
    if (await extendsAnchored(kv, anchored)) return true;
    await stop(ANCHOR, "", formatAnchor(anchored));
    return false;
  }

  /** Writes the anchor, unless it has a larger tree by now. */
  async function writeAnchor(size: number, root: Bytes): Promise<void> {
    const anchored = await anchor?.read() ?? null;
    if ((anchored?.size ?? 0) <= size) await anchor?.write(anchorOf(size, root));
  }

  return {
    /**
     * Submits the newest published checkpoint to all witnesses again, before this process sequences
     * anything, and compares the anchor. No other tree is signed, only the empty one if nothing is published:
     * every tree extends it, and a witness that has seen a larger one of this log says so.
     *
     * @returns `halted`, or `waiting` if there are witnesses and none has responded
     */
    async confirm(): Promise<"confirmed" | "waiting" | "halted"> {
      if (!await isAnchored()) return "halted";
      const { value: published } = await logCheckpoint.get(kv);
      const checkpoint = published && parseCheckpoint(published.text);
      const text = checkpoint?.note.text ??
        formatCheckpoint({ origin, size: 0, root: EMPTY_ROOT });
      const stored = checkpoint?.note.signatures.filter(({ name }) => name === origin) ?? [];
      // Also by a key that has replaced the stored one, because a witness may know only that.
      const added = (await sign(text)).filter(({ id }) => stored.every((each) => each.id !== id));
      const own = [...stored, ...added];
      const note = formatNote({ text, signatures: own });
      const { replies, halted } = await ask({ note, text, size: checkpoint?.size ?? 0, readTiles });
      if (halted) return "halted";
      const isSilent = ({ reply }: Asked["replies"][number]) =>
        reply.kind === "failed" && (checkpoint !== null || !isRefused(reply.what));
      return replies.length > 0 && replies.every(isSilent) ? "waiting" : "confirmed";
    },

    /**
     * Signs the stored tree, asks the witnesses, and publishes it, if it has grown, if a witness has not
     * countersigned it, or if the last checkpoint is old.
     */
    async publish(): Promise<Published> {
      const [{ size, edge }, { value: published }] = await Promise.all([
        readTree(kv),
        logCheckpoint.get(kv),
      ]);
      if (size === 0) return { summary: "empty", failed: 0 };
      if (published !== null && !await isDue(published, size)) {
        return { summary: `size ${size}`, failed: 0 };
      }
      if (!await isAnchored()) return HALTED;
      const root = rootOf(edge);
      const text = formatCheckpoint({ origin, size, root });
      const own = await sign(text);
      const signedAt = now();
      await writeAnchor(size, root);
      const note = formatNote({ text, signatures: own });
      const { replies, halted } = await ask({ note, text, size, readTiles });
      if (halted) return HALTED;
      const signed = await countersignatures(replies, size);
      const names = [...signed.keys()];
      const failed = replies.filter(({ reply }) => reply.kind === "failed").length;
      if (options.required && !satisfiesQuorum(options.required, new Set(names))) {
        return { summary: `size ${size} waits for witnesses`, failed };
      }
      const signatures = [...own, ...signed.values()];
      const row = { size, text: formatNote({ text, signatures }), signed_at: signedAt };
      await store({
        ...row,
        witnesses: names,
        ...ownOnly(replies.map(({ witness }) => witness), names),
      });
      return {
        summary: `size ${size}, ${names.length} of ${replies.length} countersigned`,
        failed,
      };
    },
  };

  /**
   * Returns the new countersignatures by the names of the witnesses. Those of the published checkpoint are
   * kept if it has the same size, because then its text is the same.
   */
  async function countersignatures(
    replies: Asked["replies"],
    size: number,
  ): Promise<Map<string, NoteSignature>> {
    const { value: published } = await logCheckpoint.get(kv);
    const earlier = published?.size === size ? parseCheckpoint(published.text) : null;
    return new Map(replies.flatMap(({ witness: { name, key }, reply }) => {
      const signature = reply.kind === "signed"
        ? reply.signature
        : earlier?.note.signatures.find((each) => each.name === key.name && each.id === key.id);
      return signature === undefined ? [] : [[name, signature] as const];
    }));
  }

  async function isDue(published: CheckpointRow, size: number): Promise<boolean> {
    if (size > published.size) return true;
    // Also if the clock was set back since: otherwise nothing would be published until it has caught up.
    const age = Math.abs(clock() - Date.parse(published.signed_at));
    if (age >= REPUBLISH_MS) return true;
    const witnesses = await options.witnesses();
    return age >= RETRY_MS &&
      witnesses.some(({ name }) => !published.witnesses.includes(name));
  }

  /**
   * Stores a checkpoint in the history, where the first one of its size stays once it is countersigned,
   * and publishes it unless a larger one is published.
   */
  function store(row: CheckpointRow): Promise<void> {
    return transact(async () => {
      const [published, first, halted] = await Promise.all([
        logCheckpoint.get(kv),
        logCheckpoints.get(kv, row.size),
        logHalted.get(kv),
      ]);
      if (halted.value !== null) return { result: undefined };
      const commit = kv.atomic().check(halted, published, first);
      reserveCheck(commit);
      // The first countersigned one of its size stays, so that proofs against it never change.
      if (first.value === null || !isCountersigned(first.value)) {
        logCheckpoints.replace(commit, first, row);
      }
      if ((published.value?.size ?? 0) <= row.size) {
        logCheckpoint.replace(commit, published, row);
        logDays.put(commit, [dayOf(clock())], row.size);
      }
      return { result: undefined, commit };
    });
  }
}
