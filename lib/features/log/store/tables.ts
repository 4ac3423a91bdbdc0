/** The tables of the public log. */
import { z } from "zod";
import { ALWAYS, defineTable, untilUsed } from "../../../platform/kv/mod.ts";
import { type Bytes, encodeHex, utf8 } from "../../../base/bytes.ts";
import { privateJwkSchema, sha256Bytes } from "../../../../packages/proof/mod.ts";

const bytes = z.custom<Bytes>((value) => value instanceof Uint8Array);

const TABLE = { owner: "nobody", lifetime: ALWAYS } as const;

/** The size of the tree with everything that was sequenced, and its right edge. */
export const logState = defineTable({
  ...TABLE,
  prefix: "log_state",
  value: z.strictObject({
    size: z.int().min(0),
    /** The hashes of the complete subtrees, 32 bytes each, the largest subtree first. */
    edge: bytes,
  }),
  per: "store",
});

/** Entries that are not in the tree yet: their commitments. */
export const logPending = defineTable({
  prefix: "log_pending",
  value: bytes,
  /** The lane, the time in units of 10 seconds, and the slot in hexadecimal digits. */
  key: ["lane", "tick", "slot"],
  owner: "nobody",
  lifetime: untilUsed("until the log has the entry, normally a few seconds", "log"),
  per: "entry of the log",
});

/** The index of each entry in the tree, by its slot in hexadecimal digits. */
export const logIndex = defineTable({
  ...TABLE,
  prefix: "log_index",
  value: z.int().min(0),
  key: ["slot"],
  per: "entry of the log",
});

/** The hashes of the tree, up to 256 per row. */
export const logTiles = defineTable({
  ...TABLE,
  prefix: "log_tiles",
  value: bytes,
  key: ["level", "index"],
  per: "255 entries of the log",
});

/** The entries of the tree, up to 256 per row, as they are served. */
export const logBundles = defineTable({
  ...TABLE,
  prefix: "log_entries",
  value: bytes,
  key: ["index"],
  per: "256 entries of the log",
});

const checkpointRow = z.strictObject({
  size: z.int().min(0),
  /** The signed checkpoint with the countersignatures. */
  text: z.string(),
  /** When the log signed it, ISO 8601. */
  signed_at: z.string(),
  /** The keys of the witnesses that have countersigned it, see {@link lineOf}. */
  cosigned: z.array(z.string()),
});

export type CheckpointRow = z.infer<typeof checkpointRow>;

/** Returns a key as rows and indexes name it: its name and id, as in its signature lines. */
export const lineOf = ({ name, id }: { name: string; id: string }): string => `${name} ${id}`;

/** The place in the index for checkpoints that anybody has countersigned. */
export const ANYBODY = "";

/** Returns the place in the index of all keys together: a hash, because a key of the store has at most 2 KB. */
const combinationOf = (cosigned: readonly string[]): string =>
  encodeHex(sha256Bytes(utf8(cosigned.toSorted().join("\n"))));

/**
 * The published checkpoints, one for each size. Their signed text never changes. Countersignatures that arrive
 * later join it, and the first one of each key stays.
 */
export const logCheckpoints = defineTable({
  ...TABLE,
  prefix: "log_checkpoints",
  value: checkpointRow,
  key: ["size"],
  // The sizes that a key has countersigned, and those that anybody has.
  indexes: {
    log_countersigned: {
      keysOf: ({ cosigned, size }: CheckpointRow) =>
        cosigned.length === 0 ? [] : [ANYBODY, ...cosigned].map((key) => [key, size]),
      value: () => null,
    },
    // The sizes that exactly these keys have countersigned.
    log_combinations: {
      keysOf: ({ cosigned, size }: CheckpointRow) =>
        cosigned.length === 0 ? [] : [[combinationOf(cosigned), size]],
      value: () => null,
    },
  },
  per: "published size of the log",
});

const newestRow = checkpointRow.extend({
  /** How often lines have joined a stored checkpoint, or one was stored after a larger one. */
  joined: z.int().min(0),
});

export type NewestRow = z.infer<typeof newestRow>;

/**
 * The newest published checkpoint, with the newest countersignature of each key. Each change of any checkpoint
 * changes this row in the same commit, so its versionstamp is the version of all of them.
 */
export const logCheckpoint = defineTable({
  ...TABLE,
  prefix: "log_checkpoint",
  value: newestRow,
  per: "store",
});

/** The size of the log that was published last on each day that has one, in UTC. */
export const logDays = defineTable({
  ...TABLE,
  prefix: "log_days",
  value: z.int().min(0),
  /** Such as `2026-03-01`. */
  key: ["day"],
  per: "day",
});

const haltedRow = z.strictObject({
  /** The witness that has seen another tree, or `anchor`. */
  by: z.string(),
  at: z.string(),
  /** The signed checkpoint that was submitted; empty if there was none. */
  checkpoint: z.string(),
  /** The response of the witness, or the content of the anchor. */
  response: z.string(),
});

export type HaltedRow = z.infer<typeof haltedRow>;

/** Why the log and all chains accept nothing; absent if they do. */
export const logHalted = defineTable({
  ...TABLE,
  prefix: "log_halted",
  value: haltedRow,
  per: "store",
});

const waitingRow = z.strictObject({
  since: z.string(),
  /** The names of the witnesses that have not answered, or have not countersigned. */
  witnesses: z.array(z.string()),
  /** True if the log waits for its quorum as long as that takes. */
  required: z.boolean(),
});

export type WaitingRow = z.infer<typeof waitingRow>;

/** The witnesses for which the log waits before it publishes anything; absent if it waits for nobody. */
export const logWaiting = defineTable({
  ...TABLE,
  prefix: "log_waiting",
  value: waitingRow,
  per: "store",
});

const witnessRow = z.strictObject({
  /** The largest size that it is known to have countersigned. */
  size: z.int().min(0),
  /** When it last countersigned, ISO 8601; null if it never did. */
  at: z.string().nullable(),
  /** Why the last request failed, and since when requests have; null if it succeeded. */
  problem: z.strictObject({ what: z.string(), since: z.string() }).nullable(),
});

export type WitnessRow = z.infer<typeof witnessRow>;

/** The size that each witness has countersigned last, by the name of its key. */
export const logWitnesses = defineTable({
  ...TABLE,
  prefix: "log_witnesses",
  value: witnessRow,
  key: ["name"],
  per: "witness",
});

/** The log's name. It never changes, because every key and checkpoint has it. */
export const logOrigin = defineTable({
  ...TABLE,
  prefix: "log_origin",
  value: z.strictObject({ origin: z.string(), begun_at: z.string() }),
  per: "store",
});

/** The log that this one continues under another name. */
export const logPrevious = defineTable({
  ...TABLE,
  prefix: "log_previous",
  value: z.strictObject({
    origin: z.string(),
    /** As text, see `formatVerifierKey`. */
    keys: z.array(z.string()),
    /** Its last published checkpoint; empty if it had none. */
    checkpoint: z.string(),
    moved_at: z.string(),
  }),
  per: "store",
});

/** Each key set that was logged, by its number from 1: its canonical JSON. */
export const logKeySets = defineTable({
  ...TABLE,
  prefix: "log_key_sets",
  value: bytes,
  key: ["n"],
  per: "signing key",
});

const logChain = z.strictObject({
  /** 32 random bytes. */
  salt: bytes,
});

export type LogChain = z.infer<typeof logChain>;

/** The salt of the entries of each chain. */
export const logChains = defineTable({
  prefix: "log_chains",
  value: logChain,
  key: ["record"],
  owner: "nobody",
  lifetime: { kept: "as long as records are published", removedBy: "nothing" },
  per: "record",
  privacy: {
    section: "enquiry",
    label: "Its entries in the public log",
    text: "Our [public log](/log) gets an entry for each event of the record, so that anyone can " +
      "notice if we change a record afterwards. An entry is 64 bytes that nobody can connect to you, or to " +
      "each other, without the record's hash. Anyone who has only the hash can see how many " +
      "events there are and when they were logged; anyone who has the chain can check every " +
      "entry. **Entries cannot be deleted, not even when the record is erased.** After " +
      "that, only people who kept the record's hash can connect them to a person, and only " +
      "people who saved the chain can open them.",
  },
});

/** The keys that development generates: one for the log. */
export const logGeneratedKey = defineTable({
  ...TABLE,
  prefix: "log_signing_key",
  value: privateJwkSchema,
  per: "store",
});

export const logTables = [
  logState,
  logPending,
  logIndex,
  logTiles,
  logBundles,
  logCheckpoints,
  logCheckpoint,
  logDays,
  logHalted,
  logWaiting,
  logWitnesses,
  logOrigin,
  logPrevious,
  logKeySets,
  logChains,
  logGeneratedKey,
];
