/** Asks all witnesses to countersign a checkpoint, and takes answers that come late. */
import { SECOND_MS } from "../../../base/time.ts";
import { asSite } from "../../../platform/kv/mod.ts";
import { type NoteSignature, parseCheckpoint } from "../../../../packages/proof/mod.ts";
import { askWitness, type Reply, type Submission, type Witness } from "./ask_witness.ts";
import { halt } from "./halt.ts";
import { storeCheckpoint } from "./join.ts";
import { type HaltedRow, logWitnesses, type WitnessRow } from "./tables.ts";
import { readTree } from "./tree.ts";

/**
 * How long the log waits for its witnesses. Entries that come during a run may wait three times, and are to be
 * published within 10 seconds. A slower witness's countersignature joins the checkpoint when it arrives.
 */
const WAIT_MS = 2.5 * SECOND_MS;

/** The note about a witness that has not replied in time. */
const LATE: Reply = { kind: "failed", what: "TimeoutError" };

export interface AskOptions {
  kv: Deno.Kv;
  clock: () => number;
  witnesses(): Promise<readonly Witness[]>;
  /** Returns a signal that aborts when the log waits no longer. Default: after 2.5 seconds. */
  patience?(): AbortSignal;
  /** Called after a witness that has seen another tree has halted the log. Default: does nothing. */
  onRefused?(evidence: Omit<HaltedRow, "at">): Promise<void>;
  log: (entry: Record<string, unknown>) => void;
}

/** The result of asking all witnesses. */
export interface Asked {
  replies: { witness: Witness; reply: Reply }[];
  halted: boolean;
}

/** Asks the witnesses of a log. */
export type AskAll = ReturnType<typeof createAskAll>;

export function createAskAll({ kv, clock, log, ...options }: AskOptions) {
  const { patience = () => AbortSignal.timeout(WAIT_MS) } = options;
  const now = () => new Date(clock()).toISOString();
  /** Replies that came too late, or are still to come. */
  const late = new Set<Promise<void>>();

  async function note(
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

  /** Halts the log, because somebody has seen another tree. */
  async function stop({ by, checkpoint, response }: Omit<HaltedRow, "at">): Promise<void> {
    await halt(kv, { by, at: now(), checkpoint, response });
    log({ level: "error", event: "log_halted", by, response });
  }

  /** Halts the log if a witness has seen another tree. Returns whether it has. */
  async function haltBy(
    { name: by }: Witness,
    { note: checkpoint, size }: Submission,
    reply: Reply,
  ): Promise<boolean> {
    // Another process may have added entries since the checkpoint was signed.
    const response = reply.kind === "refused" && size > 0
      ? reply.response
      : reply.kind === "ahead" && reply.size > (await readTree(kv)).size
      ? `409 ${reply.size}`
      : null;
    if (response === null) return false;
    await stop({ by, checkpoint, response });
    await options.onRefused?.({ by, checkpoint, response });
    return true;
  }

  /** Takes what a witness says after the log has gone on without it. */
  async function take(
    witness: Witness,
    submission: Submission,
    asking: Promise<Reply>,
  ): Promise<void> {
    const reply = await asking;
    const { value: row } = await logWitnesses.get(kv, witness.key.name);
    await note(witness, row, reply, submission.size);
    await haltBy(witness, submission, reply);
    if (reply.kind === "signed") await join(submission, [reply.signature]);
  }

  async function join({ note }: Submission, lines: readonly NoteSignature[]): Promise<void> {
    const checkpoint = parseCheckpoint(note)!;
    const signatures = [...checkpoint.note.signatures, ...lines];
    await storeCheckpoint(kv, clock, { ...checkpoint, note: { ...checkpoint.note, signatures } });
  }

  return {
    stop,

    /**
     * Asks all witnesses at the same time with the same bytes, and notes what they reply. One that takes longer
     * than the log waits counts as failed, but its reply is still taken when it comes.
     *
     * @param options.patient true to wait as long as a witness may take
     */
    async ask(submission: Submission, { patient = false } = {}): Promise<Asked> {
      const signal = patient ? new AbortController().signal : patience();
      const timeUp = new Promise<null>((resolve) =>
        signal.addEventListener("abort", () => resolve(null), { once: true })
      );
      const witnesses = await options.witnesses();
      const inTurn = createTurns();
      const replies = await Promise.all(witnesses.map(async (witness) => {
        const { value: row } = await logWitnesses.get(kv, witness.key.name);
        const asking = inTurn(witness, () => askWitness(witness, submission, row?.size ?? 0));
        const reply = await Promise.race([asking, timeUp]);
        await note(witness, row, reply ?? LATE, submission.size);
        if (reply === null) {
          const taken = asSite(() => take(witness, submission, asking))
            .catch((error) => log({ level: "warn", event: "log_late_reply", reason: error.name }))
            .finally(() => late.delete(taken));
          late.add(taken);
        }
        return { witness, reply: reply ?? LATE };
      }));
      let halted = false;
      for (const { witness, reply } of replies) {
        if (await haltBy(witness, submission, reply)) halted = true;
      }
      return { replies, halted };
    },

    /** Adds countersignatures to the stored checkpoint that was submitted, if it is stored. */
    join: (submission: Submission, { replies }: Asked): Promise<void> =>
      join(submission, signaturesIn(replies)),

    /** Resolves when every reply that came too late is stored. */
    settled: async (): Promise<void> => void await Promise.all(late),
  };
}

/**
 * Returns a function that asks witnesses at one address one after another, and all others at once: omniwitness
 * refuses a request while it handles another one of the same log, and a witness that replaces its key has two.
 */
function createTurns() {
  const last = new Map<string, Promise<Reply>>();
  return ({ url }: Witness, ask: () => Promise<Reply>): Promise<Reply> => {
    if (url === null) return ask();
    const asking = last.get(url)?.then(ask) ?? ask();
    last.set(url, asking);
    return asking;
  };
}

/** Returns the countersignatures among replies. */
export const signaturesIn = (replies: Asked["replies"]): NoteSignature[] =>
  replies.flatMap(({ reply }) => reply.kind === "signed" ? [reply.signature] : []);
