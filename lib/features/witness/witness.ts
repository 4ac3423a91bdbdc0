/** The rules of a witness: when it countersigns a log's checkpoint, refuses it, or stops signing for good. */
import type { Bytes } from "../../base/bytes.ts";
import { encodeBase64 } from "../../base/encoding.ts";
import { fail, type Failure, type RateLimited } from "../../base/result.ts";
import { SECOND_MS } from "../../base/time.ts";
import { createRateLimiter, type RateLimiter } from "../../platform/http/rate_limit.ts";
import {
  EMPTY_ROOT,
  formatNote,
  formatSignature,
  isConsistent,
  isEqual,
  LOG_KEY,
  type NoteSignature,
  type NoteSigner,
  type PolicyLog,
  readCheckpoint,
  type SignedCheckpoint,
  type VerifierKey,
  verifyNote,
  verifySignature,
} from "../../../packages/proof/mod.ts";
import { type AddCheckpoint, parseAddCheckpoint } from "./request.ts";
import {
  keepRefused,
  LOST_KEY,
  type LostRow,
  originHash,
  readRefused,
  refusedKey,
  type RefusedRow,
  witnessedKey,
  type WitnessedRow,
} from "./rows.ts";

/** Limits in requests; 0 for none. */
export interface WitnessLimits {
  /** Larger trees that are countersigned per log and second. */
  growth: number;
  /** Requests without a cosignature per client and minute. */
  requests: number;
}

export const LIMITS: WitnessLimits = { growth: 2, requests: 60 };

interface Dependencies {
  /** The witness's own store. */
  kv: Deno.Kv;
  signer: NoteSigner;
  /** Returns the logs that it countersigns. Keys come only from here. */
  logs: () => Promise<readonly PolicyLog[]>;
  /** Returns the time in milliseconds since 1970. */
  clock?: () => number;
  monotonic?: () => number;
  limits?: WitnessLimits;
  log?: (entry: Record<string, unknown>) => void;
  /** Called once for each fork, and when the store was lost. It must not throw. */
  onFault?: (fault: WitnessFault) => Promise<void>;
}

/** A cause for an alert: a log has signed two trees of one size, or the witness has lost its store. */
export interface WitnessFault {
  kind: "forked" | "lost";
  origin: string;
  size: number;
}

export type AddResult =
  | { ok: true; cosignature: string }
  | Failure<
    "invalid_request" | "unknown_log" | "bad_log_signature" | "inconsistent" | "unavailable"
  >
  /** The client must send a proof from this size. */
  | Failure<"conflict"> & { size: number }
  | RateLimited;

/** A log that a witness countersigns, as its page shows it. */
export interface WitnessedLog {
  origin: string;
  hash: string;
  keys: VerifierKey[];
  url: string | null;
  /** The checkpoint that was countersigned last; null before the first time. */
  last: { size: number; time: number } | null;
  refused: number;
  /** True if refused checkpoints prove a fork. */
  fork: boolean;
}

/** A witness (C2SP tlog-witness): it countersigns only trees that extend those it has countersigned. */
export interface Witness {
  readonly key: VerifierKey;
  /**
   * Handles an `add-checkpoint` request.
   *
   * @param body undefined if it was too long to be read
   * @param client identifies the client for its limit
   */
  add(body: Bytes | undefined, client: string): Promise<AddResult>;
  /**
   * Compares the store with a checkpoint that a log serves. If this witness has signed what its store does not
   * know, it stops signing for good.
   */
  compare(checkpoint: string): Promise<void>;
  /** Returns the newest countersigned checkpoint with its cosignature; null if there is none. */
  latest(hash: string): Promise<string | null>;
  /** Returns the refused checkpoints of a log, the newest first; null if it countersigns no such log. */
  refused(hash: string): Promise<{ origin: string; refused: RefusedRow[] } | null>;
  logs(): Promise<WitnessedLog[]>;
  /** Returns why it does not sign any more; null if it signs. */
  lost(): Promise<LostRow | null>;
}

const MALFORMED =
  "Send at most 64 KiB: old <size>, the hashes of a consistency proof, an empty line, and a checkpoint.";
const LOST = "This witness has lost its store, so it does not sign any more.";

/** Clients whose requests without a cosignature are counted separately. */
const MAX_CLIENTS = 10_000;

/** Creates a witness. Its store must not be a copy of another one, and must not be restored. */
export function createWitness(
  { kv, signer, logs, clock = Date.now, monotonic, limits = LIMITS, ...events }: Dependencies,
): Witness {
  const { log = () => {}, onFault = () => Promise.resolve() } = events;
  const limiter = (limit: number, windowMs: number): RateLimiter =>
    createRateLimiter({ limit, windowMs, monotonic, maxClients: MAX_CLIENTS });
  const growth = limiter(limits.growth, SECOND_MS);
  const requests = limiter(limits.requests, 60 * SECOND_MS);

  async function examine(body: Bytes | undefined): Promise<AddResult> {
    const request = body === undefined ? null : parseAddCheckpoint(body);
    if (request === null) return fail("invalid_request", { message: MALFORMED });
    const { checkpoint: { origin, note } } = request;
    const keys = (await logs()).map(({ key }) => key)
      .filter(({ name, type }) => name === origin && type === LOG_KEY);
    if (keys.length === 0) {
      return fail("unknown_log", { message: "This witness does not know the checkpoint's log." });
    }
    // One line for each key is enough, and a request cannot make the witness verify many.
    const verified = await verifyNote({ ...note, signatures: distinct(note.signatures) }, keys);
    if (verified === null || verified.length === 0) {
      return fail("bad_log_signature", {
        message: "The checkpoint needs a valid signature of the log's known key.",
      });
    }
    return await countersign(request, verified.map(({ key }) => key));
  }

  async function countersign(
    { old, proof, checkpoint }: AddCheckpoint,
    signers: VerifierKey[],
  ): Promise<AddResult> {
    const { origin, size, root, note } = checkpoint;
    const hash = originHash(origin);
    const [entry, lost] = await kv.getMany<[WitnessedRow, LostRow]>([witnessedKey(hash), LOST_KEY]);
    const row = entry.value;
    if (lost.value !== null || await isLost(checkpoint, row)) {
      return fail("unavailable", { message: LOST });
    }
    if (old !== (row?.size ?? 0)) return conflict(row);
    const known = { oldSize: old, oldRoot: row?.root ?? EMPTY_ROOT };
    const signatures = distinct(note.signatures).filter((each) => signers.some(isBy(each)));
    const text = formatNote({ text: note.text, signatures });
    if (!isConsistent({ ...known, newSize: size, newRoot: root, proof })) {
      const fork = row !== null && size === row.size && !isEqual(root, row.root);
      const isNew = await keepRefused(kv, hash, note.text, {
        at: new Date(clock()).toISOString(),
        fork,
        size,
        checkpoint: text,
        known: row?.checkpoint ?? null,
        old,
        proof: proof.map(encodeBase64),
      });
      if (isNew) {
        log({ level: fork ? "error" : "warn", event: "witness_refused", origin, size, fork });
        if (fork) await onFault({ kind: "forked", origin, size });
      }
      return fail("inconsistent", {
        message: "The proof does not show that the checkpoint extends the one countersigned last.",
      });
    }
    // A smaller tree never has a later time than a larger one, even if the clock was set back.
    const time = Math.max(Math.floor(clock() / SECOND_MS), row?.time ?? 0);
    if (time < 1) return fail("unavailable", { message: "This witness's clock is not set." });
    // Its signature exists already. Strangers who repeat a checkpoint use up nothing of the log's limit.
    if (row === null || time !== row.time || note.text !== textOf(row)) {
      const isLater = size === row?.size && time !== row.time;
      const taken = isLater ? OK : growth.take(origin);
      if (!taken.ok) return taken;
      const { ok } = await kv.atomic().check(entry, lost)
        .set(entry.key, { origin, checkpoint: text, size, root, time } satisfies WitnessedRow)
        .delete(refusedKey(hash, note.text)) // only its proof was wrong
        .commit();
      if (!ok) return await readBack(checkpoint);
    }
    return await signed(note.text, time);
  }

  /** Another request, or this one before its response was lost, may have stored the same tree. */
  async function readBack({ origin, size, root, note }: SignedCheckpoint): Promise<AddResult> {
    const key = witnessedKey(originHash(origin));
    const [{ value: row }, lost] = await kv.getMany<[WitnessedRow, LostRow]>([key, LOST_KEY]);
    if (lost.value !== null) return fail("unavailable", { message: LOST });
    return row?.size === size && isEqual(row.root, root)
      ? await signed(note.text, row.time)
      : conflict(row);
  }

  async function signed(text: string, time: number): Promise<AddResult> {
    return { ok: true, cosignature: formatSignature(await signer.sign(text, time)) };
  }

  /**
   * Returns whether a checkpoint has a cosignature of this witness that the store does not know. Then the store
   * was restored or replaced, and nothing is signed any more.
   */
  async function isLost(
    { origin, size, root, note }: SignedCheckpoint,
    row: WitnessedRow | null,
  ): Promise<boolean> {
    const own = distinct(note.signatures).find((each) => isBy(each)(signer.key));
    if (own === undefined) return false;
    const verified = await verifySignature(note.text, own, signer.key);
    if (verified === null) return false; // anyone can add a line
    const isKnown = row !== null && verified.time! <= row.time && size <= row.size &&
      (size < row.size || isEqual(root, row.root));
    if (isKnown) return false;
    const checkpoint = formatNote({ text: note.text, signatures: [own] });
    const lost: LostRow = { at: new Date(clock()).toISOString(), origin, checkpoint };
    const commit = kv.atomic().check({ key: LOST_KEY, versionstamp: null }).set(LOST_KEY, lost);
    if (!(await commit.commit()).ok) return true; // it was noticed before
    log({ level: "error", event: "witness_lost", origin, size, known: row?.size ?? 0 });
    await onFault({ kind: "lost", origin, size });
    return true;
  }

  return {
    key: signer.key,
    async add(body, client) {
      const result = await examine(body);
      if (result.ok || result.error === "rate_limited") return result;
      // A log's own requests pass, whoever else sends from its address.
      const taken = requests.take(client);
      return taken.ok ? result : taken;
    },
    async compare(text) {
      const checkpoint = readCheckpoint(text);
      if (checkpoint === null) return;
      const { value } = await kv.get<WitnessedRow>(witnessedKey(originHash(checkpoint.origin)));
      await isLost(checkpoint, value);
    },
    async latest(hash) {
      const { value: row } = await kv.get<WitnessedRow>(witnessedKey(hash));
      if (row === null) return null;
      // Ed25519 is deterministic, so this is the cosignature that was returned.
      return row.checkpoint + formatSignature(await signer.sign(textOf(row), row.time));
    },
    async refused(hash) {
      const log = (await logs()).find(({ key }) => originHash(key.name) === hash);
      if (log === undefined) return null;
      const refused = (await readRefused(kv, hash)).map(({ value }) => value);
      return { origin: log.key.name, refused };
    },
    async logs() {
      const known = await logs();
      const origins = new Set(known.map(({ key }) => key.name));
      return await Promise.all(Array.from(origins, async (origin) => {
        const own = known.filter(({ key }) => key.name === origin);
        const hash = originHash(origin);
        const [{ value: row }, refused] = await Promise.all([
          kv.get<WitnessedRow>(witnessedKey(hash)),
          readRefused(kv, hash),
        ]);
        return {
          origin,
          hash,
          keys: own.map(({ key }) => key),
          url: own.find(({ url }) => url !== null)?.url ?? null,
          last: row === null ? null : { size: row.size, time: row.time },
          refused: refused.length,
          fork: refused.some(({ value }) => value.fork),
        };
      }));
    },
    lost: async () => (await kv.get<LostRow>(LOST_KEY)).value,
  };
}

const OK = { ok: true } as const;

const textOf = ({ checkpoint }: WitnessedRow): string => readCheckpoint(checkpoint)!.note.text;

const isBy = (signature: NoteSignature) => ({ name, id }: VerifierKey): boolean =>
  name === signature.name && id === signature.id;

/** Returns the first signature of each key. */
const distinct = (signatures: readonly NoteSignature[]): NoteSignature[] =>
  [
    ...new Map(signatures.toReversed().map((each) => [`${each.name} ${each.id}`, each])).values(),
  ].reverse();

const conflict = (row: WitnessedRow | null): AddResult => ({
  ...fail("conflict", { message: "The size is not the one that was countersigned last." }),
  size: row?.size ?? 0,
});
