/** The nightly job that verifies every stored chain and reports those that are not valid. */
import { z } from "zod";
import type { Job, JobContext } from "../../platform/jobs/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import {
  type ChainFault,
  type ChainStart,
  hashSchema,
  type Head,
  headOrigin,
  type KeySet,
  type LinkedEvent,
  verifyEvents,
  verifyHead,
} from "../../../packages/proof/mod.ts";
import { createIntactTest } from "./intact.ts";
import { chainEvents, heads as headTable, MAX_PAGE_SIZE } from "./page.ts";

/**
 * A fault of a stored chain. Besides the faults that every verifier finds: `no_head` means that a
 * record or its events have no head, and `unsigned` that there are events that the head does not
 * cover.
 */
type StoredFault = ChainFault | "no_head" | "unsigned";

/** A chain that is not valid. `seq` is present when the fault concerns one event. */
export interface InvalidChain {
  hash: string;
  code: StoredFault;
  seq?: number;
}

interface CheckOptions {
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

/** The parts of all hashes, by the first of their digits. */
const PARTS = 16;
/** How many chains are checked before the progress is saved. */
const SAVED_AFTER = 500;
/** How many events of one chain are checked before the progress is saved. */
const SAVED_AFTER_EVENTS = 1_000;
/** How many rows are read together. */
const BATCH = 500;

/**
 * Creates the job that verifies every stored chain, once a night. It reads heads and events in the order of
 * their hashes, in batches, and divides the hashes into parts, so that several processes share the
 * work. A run that is out of time saves its position, and the next one continues there.
 */
export const createCheckJob = (options: CheckOptions): Job => ({
  name: "chains",
  title: "Verifying all records",
  everyMs: DAY_MS,
  dailyAtMs: 2 * HOUR_MS,
  maxMs: 5 * MINUTE_MS,
  resumeMs: MINUTE_MS,
  parts: PARTS,
  run: (context) => checkChains(options, context),
});

/** Verifies the chains of a part after the cursor, until none is left or the signal aborts. */
async function checkChains(
  options: CheckOptions,
  { part, cursor, signal, save }: JobContext,
): Promise<string> {
  const { kv } = options;
  const position = { ...cursorSchema.safeParse(cursor).data ?? BEGIN };
  const { keys } = await options.keys();
  const isIntact = createIntactTest(options.publisher, keys);
  const progress = async (hash: string, start: ChainStart | null) => {
    Object.assign(position, { hash, start });
    await save(position);
  };
  const report = async (hash: string, fault: Omit<InvalidChain, "hash">) => {
    await options.report({ hash, ...fault }, ++position.invalid);
    await progress(hash, null);
  };
  /** Checks a chain by itself, from an event on. Returns false if the signal aborted before the end. */
  const checkOne = async (hash: string, start: ChainStart): Promise<boolean> => {
    const chain = { ...options, keys, hash, signal };
    const result = await checkChain(chain, start, (next) => progress(hash, next));
    if (result === "stopped") return false;
    position.checked++;
    Object.assign(position, { hash, start: null });
    if (result !== null) await report(hash, result);
    return true;
  };

  if (position.start !== null && !await checkOne(position.hash, position.start)) {
    return `${summaryOf(position)} so far`;
  }
  const chains = storedChains(kv, rangeOf(part, position.hash));
  for await (const { hash, head, events } of chains) {
    if (signal.aborted) {
      await save(position);
      return `${summaryOf(position)} so far`;
    }
    // Only a single check tells a fault from an event that was appended between the reads.
    if (head === null || events === null || !isIntact({ hash, head, events })) {
      if (!await checkOne(hash, { seq: 0, prev: hash })) return `${summaryOf(position)} so far`;
    } else {
      position.checked++;
      Object.assign(position, { hash, start: null });
    }
    if (position.checked % SAVED_AFTER === 0) await save(position);
  }
  return summaryOf(position);
}

const summaryOf = ({ checked, invalid }: Cursor) => `${checked} checked, ${invalid} not valid`;

/** A range of hashes. */
interface HashRange {
  start: string;
  end: string;
}

/** Returns the hashes of a part after one of them. Without a part, it has all of them. */
function rangeOf(part: number | undefined, after: string): HashRange {
  const first = part === undefined ? "" : part.toString(16);
  // The smallest text after `after`, because `start` includes its key; "g" is after every digit.
  return { start: after === "" ? first : `${after}\0`, end: `${first}g` };
}

interface FoundChain {
  hash: string;
  head: Head | null;
  /** Null if there are more than are checked together. */
  events: LinkedEvent[] | null;
}

/** Reads all chains of a range, and the records that must have one, in the order of their hashes. */
async function* storedChains(kv: Deno.Kv, range: HashRange): AsyncGenerator<FoundChain> {
  const heads = peekable(readRange<Head>(kv, headTable.prefix, range));
  const eventsFrom = (start: string) =>
    peekable(readRange<LinkedEvent>(kv, chainEvents.prefix, { ...range, start }));
  let events = eventsFrom(range.start);
  // The table of a higher feature: each record has a row there.
  const records = peekable(readRange(kv, "contacts", range));
  while (true) {
    const next = await Promise.all([heads, events, records].map((rows) => rows.peek()));
    const hash = next.flatMap((row) => row === null ? [] : [hashOf(row)]).sort()[0];
    if (hash === undefined) return;
    const head = await heads.takeIf(hash);
    while (await records.takeIf(hash) !== null);
    const found: LinkedEvent[] = [];
    for (let row = await events.takeIf(hash); row !== null; row = await events.takeIf(hash)) {
      if (found.push(row.value) > SAVED_AFTER_EVENTS) break;
    }
    const isLong = found.length > SAVED_AFTER_EVENTS;
    if (isLong) events = eventsFrom(`${hash}\0`);
    yield { hash, head: head?.value ?? null, events: isLong ? null : found };
  }
}

const hashOf = ({ key }: { key: Deno.KvKey }): string => String(key[1]);

/** Reads the rows whose second part of the key is in a range. */
const readRange = <Value>(
  kv: Deno.Kv,
  prefix: string,
  { start, end }: HashRange,
): AsyncIterator<Deno.KvEntry<Value>> =>
  kv.list<Value>({ start: [prefix, start], end: [prefix, end] }, { batchSize: BATCH });

/** Lets rows be looked at before they are taken. */
function peekable<Row extends { key: Deno.KvKey }>(rows: AsyncIterator<Row>) {
  let next: Row | null | undefined;
  async function peek(): Promise<Row | null> {
    if (next === undefined) {
      const { done, value } = await rows.next();
      next = done ? null : value;
    }
    return next;
  }
  return {
    peek,
    /** Takes the next row if it belongs to a hash. */
    async takeIf(hash: string): Promise<Row | null> {
      const row = await peek();
      if (row === null || hashOf(row) !== hash) return null;
      next = undefined;
      return row;
    },
  };
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
  const { value: head } = await headTable.get(kv, hash);
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
    headTable.key(hash),
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
