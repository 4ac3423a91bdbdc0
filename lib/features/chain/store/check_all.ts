import { z } from "zod";
import type { Job, JobContext } from "../../../platform/jobs/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../base/time.ts";
import { hashSchema, type LinkedEvent } from "../event.ts";
import { type Head, headOrigin, verifyHead } from "../head.ts";
import type { KeySet } from "../keys.ts";
import { type ChainFault, type ChainStart, verifyEvents } from "../verify.ts";
import { chainEvents, heads, MAX_PAGE_SIZE } from "./page.ts";

/**
 * A fault of a stored chain. Besides the faults that every verifier finds: `no_head` means that a
 * record or its events have no head, and `unsigned` that there are events that the head does not
 * cover.
 */
export type StoredFault = ChainFault | "no_head" | "unsigned";

/** A chain that is not valid. `seq` is present when the fault concerns one event. */
export interface InvalidChain {
  hash: string;
  code: StoredFault;
  seq?: number;
}

export interface CheckOptions {
  kv: Deno.Kv;
  publisher: string;
  keys(): Promise<KeySet>;
  /** Called for each chain that is not valid. `count` is their number in this check so far. */
  report(chain: InvalidChain, count: number): Promise<void>;
}

/** The position from which an unfinished check continues: after a chain, or within it. */
const cursorSchema = z.object({
  hash: z.union([hashSchema, z.literal("")]),
  /** The first event to check of the chain; null after the chain. */
  start: z.object({ seq: z.int().min(0), prev: hashSchema }).nullable(),
  checked: z.int(),
  invalid: z.int(),
});
type Cursor = z.infer<typeof cursorSchema>;

const BEGIN: Cursor = { hash: "", start: null, checked: 0, invalid: 0 };

/** The keys whose second part is the hash of a record that must have a chain. */
const SOURCES: readonly Deno.KvKey[] = [[heads.prefix], [chainEvents.prefix], ["contacts"]];
/** How many chains are checked before the progress is saved. */
const SAVED_AFTER = 100;
/** How many events of one chain are checked before the progress is saved. */
const SAVED_AFTER_EVENTS = 1_000;

/**
 * Creates the job that verifies every stored chain, once a night. It keeps one page of events in
 * memory. A run that is out of time saves its position, and the next one continues there.
 */
export const createCheckJob = (options: CheckOptions): Job => ({
  name: "chains",
  title: "Verifying all records",
  everyMs: DAY_MS,
  dailyAtMs: 2 * HOUR_MS,
  maxMs: 5 * MINUTE_MS,
  resumeMs: MINUTE_MS,
  run: (context) => checkChains(options, context),
});

/** Verifies the chains after the cursor, until none is left or the signal aborts. */
async function checkChains(
  options: CheckOptions,
  { cursor, signal, save }: JobContext,
): Promise<string> {
  const { kv } = options;
  const position = { ...cursorSchema.safeParse(cursor).data ?? BEGIN };
  const { keys } = await options.keys();
  while (!signal.aborted) {
    const hash = position.start === null ? await nextHash(kv, position.hash) : position.hash;
    if (hash === null) return summaryOf(position);
    const chain = { ...options, keys, hash, signal };
    const start = position.start ?? { seq: 0, prev: hash };
    const result = await checkChain(chain, start, async (start) => {
      Object.assign(position, { hash, start });
      await save(position);
    });
    if (result === "stopped") return `${summaryOf(position)} so far`;
    position.checked++;
    Object.assign(position, { hash, start: null });
    if (result !== null) await options.report({ hash, ...result }, ++position.invalid);
    if (result !== null || position.checked % SAVED_AFTER === 0) await save(position);
  }
  await save(position);
  return `${summaryOf(position)} so far`;
}

const summaryOf = ({ checked, invalid }: Cursor) => `${checked} checked, ${invalid} not valid`;

/** Returns the first hash after another one. */
async function nextHash(kv: Deno.Kv, after: string): Promise<string | null> {
  // The smallest text after `after`, because `start` includes its key.
  const start = after === "" ? "" : `${after}\0`;
  const found = await Promise.all(SOURCES.map(async (prefix) => {
    const selector = { prefix, start: [...prefix, start] };
    const [entry] = await Array.fromAsync(kv.list(selector, { limit: 1 }));
    return entry === undefined ? [] : [String(entry.key[1])];
  }));
  return found.flat().sort()[0] ?? null;
}

interface CheckedChain extends Pick<CheckOptions, "kv" | "publisher"> {
  hash: string;
  keys: KeySet["keys"];
  signal: AbortSignal;
}

/**
 * Verifies one stored chain against its head, from an event on.
 *
 * @param progress called between pages of a long chain, with the event that is next
 * @returns what is wrong, or null; `stopped` if the signal aborted before the end
 */
async function checkChain(
  { kv, publisher, hash, keys, signal }: CheckedChain,
  start: ChainStart,
  progress: (start: ChainStart) => Promise<void>,
): Promise<Omit<InvalidChain, "hash"> | "stopped" | null> {
  const { value: head } = await heads.get(kv, hash);
  if (head === null) return { code: "no_head" };
  const signed = await verifyHead(head, keys);
  if (!signed.ok) return { code: signed.code };
  const { origin, size, tip } = signed.head;
  if (origin !== headOrigin(publisher, hash)) return { code: "bad_origin" };

  let { seq, prev } = start;
  let saved = seq;
  while (seq < size) {
    if (signal.aborted || seq - saved >= SAVED_AFTER_EVENTS) {
      await progress({ seq, prev });
      saved = seq;
    }
    if (signal.aborted) return "stopped";
    const result = await verifyEvents(hash, await readEvents(kv, hash, seq, size), { seq, prev });
    if (!result.ok) return { code: result.code, seq: result.seq };
    if (result.size === seq) return { code: "truncated", seq };
    seq = result.size;
    prev = result.tip;
  }
  if (prev !== tip) return { code: "bad_tip", seq: size - 1 };
  const [latest, beyond] = await kv.getMany<[Head, LinkedEvent]>([
    heads.key(hash),
    chainEvents.key(hash, size),
  ]);
  const isBeyond = beyond.value !== null && latest.value?.size === size;
  return isBeyond ? { code: "unsigned", seq: size } : null;
}

/** Reads one page of events, without those that the head does not cover. */
async function readEvents(
  kv: Deno.Kv,
  hash: string,
  seq: number,
  size: number,
): Promise<LinkedEvent[]> {
  const end = Math.min(seq + MAX_PAGE_SIZE, size);
  const selector = { start: chainEvents.key(hash, seq), end: chainEvents.key(hash, end) };
  const entries = await Array.fromAsync(
    kv.list<LinkedEvent>(selector, { batchSize: MAX_PAGE_SIZE }),
  );
  return entries.map(({ value }) => value);
}
