/** Signs the tree of the public log, collects countersignatures, and publishes the checkpoint. */
import { HOUR_MS, MINUTE_MS } from "../../../base/time.ts";
import type { Bytes } from "../../../base/bytes.ts";
import { confirmStore } from "../../../platform/kv/mod.ts";
import {
  formatCheckpoint,
  formatNote,
  type NoteSignature,
  type NoteSigner,
  rootOf,
  satisfiesQuorum,
} from "../../../../packages/proof/mod.ts";
import { anchorOf } from "./anchor.ts";
import { type AskOptions, createAskAll, signaturesIn } from "./ask_all.ts";
import { type ConfirmOptions, createConfirm, isAnchored } from "./confirm.ts";
import { storeCheckpoint } from "./join.ts";
import { type CheckpointRow, lineOf, logCheckpoint } from "./tables.ts";
import { readTree, storedTiles } from "./tree.ts";
import { createWaiting } from "./waiting.ts";

/** How often a checkpoint is published although nothing was logged, so that a stalled log shows. */
export const REPUBLISH_MS = HOUR_MS;

/** How often witnesses that have not countersigned are asked again. */
const RETRY_MS = MINUTE_MS;

/** With `required`, nothing is published without the quorum of that policy. */
export interface PublishOptions
  extends AskOptions, Omit<ConfirmOptions, "sign" | "askAll" | "waiting"> {
  /** Opens the log's keys. */
  signers(): Promise<readonly NoteSigner[]>;
}

/** Publishes the checkpoints of a log. */
export type Publisher = ReturnType<typeof createPublisher>;

/** Returns when the log signed its newest published checkpoint, in milliseconds since 1970; null before. */
export async function publishedAt(kv: Deno.Kv): Promise<number | null> {
  const { value } = await logCheckpoint.get(kv);
  return value === null ? null : Date.parse(value.signed_at);
}

interface Published {
  /** For the job. */
  summary: string;
  /** The number of witnesses that did not respond as expected. */
  failed: number;
}

const HALTED: Published = { summary: "halted", failed: 0 };

export function createPublisher(options: PublishOptions) {
  const { kv, clock, origin, anchor, required, log } = options;
  const askAll = createAskAll(options);
  const waiting = createWaiting({ kv, clock, log, required: required !== undefined });

  async function sign(text: string): Promise<NoteSignature[]> {
    await confirmStore(kv);
    const signers = await options.signers();
    return await Promise.all(signers.map((signer) => signer.sign(text)));
  }

  /** Writes the anchor, unless it has a larger tree by now. */
  async function writeAnchor(size: number, root: Bytes, isFirst: boolean): Promise<void> {
    if (anchor === undefined) return;
    const anchored = await anchor.read();
    if (anchored === null && !isFirst) log({ level: "warn", event: "log_anchor_new", size });
    if ((anchored?.size ?? 0) <= size) await anchor.write(anchorOf(size, root));
  }

  return {
    confirm: createConfirm({ ...options, sign, askAll, waiting }),

    /** Resolves when every reply that came too late is stored. */
    settled: askAll.settled,

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
      if (await isAnchored(options, askAll) === "differs") return HALTED;
      const root = rootOf(edge);
      const text = formatCheckpoint({ origin, size, root });
      const own = await sign(text);
      const signedAt = new Date(clock()).toISOString();
      await writeAnchor(size, root, published === null);
      const submission = {
        note: formatNote({ text, signatures: own }),
        text,
        size,
        readTiles: storedTiles(kv),
      };
      const { replies, halted } = await askAll.ask(submission, { patient: required !== undefined });
      if (halted) return HALTED;
      const lines = signaturesIn(replies);
      const keys = [...lines.map(lineOf), ...published?.size === size ? published.cosigned : []];
      const failed = replies.filter(({ reply }) => reply.kind === "failed").length;
      const hasSigned = ({ witness }: typeof replies[number]) => keys.includes(lineOf(witness.key));
      const signed = replies.filter(hasSigned).map(({ witness }) => witness.name);
      if (required !== undefined && !satisfiesQuorum(required, new Set(signed))) {
        const missing = replies.filter((each) => !hasSigned(each));
        await waiting.begin(missing.map(({ witness }) => witness.name));
        return { summary: `size ${size} waits for witnesses`, failed };
      }
      const note = { text, signatures: [...own, ...lines] };
      await storeCheckpoint(kv, clock, { origin, size, root, note }, { signedAt });
      await waiting.end();
      return {
        summary: `size ${size}, ${signed.length} of ${replies.length} countersigned`,
        failed,
      };
    },
  };

  async function isDue(published: CheckpointRow, size: number): Promise<boolean> {
    if (size > published.size) return true;
    // Also if the clock was set back since: otherwise nothing would be published until it has caught up.
    const age = Math.abs(clock() - Date.parse(published.signed_at));
    if (age >= REPUBLISH_MS) return true;
    const witnesses = await options.witnesses();
    return age >= RETRY_MS &&
      witnesses.some(({ key }) => !published.cosigned.includes(lineOf(key)));
  }
}
