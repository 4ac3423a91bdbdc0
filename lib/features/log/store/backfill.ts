import { eachOf } from "../../../base/slots.ts";
import { encodeHex } from "../../../base/bytes.ts";
import { attemptOnce, transact } from "../../../platform/kv/mod.ts";
import type { Migration } from "../../../platform/store/mod.ts";
import type { Head, LinkedEvent } from "../../chain/mod.ts";
import { chainEvents, heads } from "../../chain/store/mod.ts";
import { completionEntry, eventEntry, eventSlot, newLogSalt } from "../entries.ts";
import { LANES, putPending } from "./pending.ts";
import { type LogChain, logChains, logIndex, logPending } from "./tables.ts";

/** The migrations after which everything that is older than the log is pending or logged. */
export const BACKFILL = { chains: "log_chains", documents: "log_documents" } as const;

/** How many chains are read together. */
const CHAINS = 50;

/** The most sizes of a chain in one commit. */
const SIZES = 200;

interface Options {
  kv: Deno.Kv;
  clock: () => number;
}

/** Adds the sizes of chains that are older than the log to it. */
export const backfillChains = ({ kv, clock }: Options): Migration => ({
  name: BACKFILL.chains,
  label: "records in the public log",
  format: 8,
  beside: "events are logged as they happen, and the log says from when on it is complete",
  step: {
    async batch(cursor) {
      const start = heads.key(`${cursor}\0`);
      const entries = await Array.fromAsync(
        kv.list<Head>({ prefix: [heads.prefix], start }, { limit: CHAINS, batchSize: CHAINS }),
        ({ key }) => String(key[1]),
      );
      await eachOf(entries, async (record) => {
        while (await fill(kv, record, clock()));
      });
      return { indexed: entries.length, next: entries.length < CHAINS ? null : entries.at(-1)! };
    },
    share: (cursor) => parseInt(cursor.slice(0, 8) || "0", 16) / 2 ** 32,
  },
});

/**
 * Adds the next sizes of a chain that were not logged with their events.
 *
 * @returns whether there may be more
 */
export const fill = (kv: Deno.Kv, record: string, now: number): Promise<boolean> =>
  transact(async () => {
    const [chain, head, first] = await kv.getMany<[LogChain, Head, number]>([
      logChains.key(record),
      heads.key(record),
      logIndex.key(encodeHex(eventSlot(record, 1))),
    ]);
    if (head.value === null) return { result: false };
    const commit = kv.atomic().check(chain);
    // Its salt was lost with a restored backup. Entries with another one would contradict those in the log.
    if (chain.value === null && first.value !== null) return { result: false };
    // An event that is appended meanwhile creates the row, or changes the head.
    if (chain.value === null) commit.check(head);
    const row = chain.value ??
      { salt: newLogSalt(), live_from: head.value.size + 1, filled: 0 };
    const filled = Math.min(row.filled + SIZES, row.live_from - 1);
    if (filled === row.filled) return { result: false };
    const selector = {
      start: chainEvents.key(record, row.filled),
      end: chainEvents.key(record, filled),
    };
    const events = await Array.fromAsync(
      kv.list<LinkedEvent>(selector, { batchSize: SIZES }),
      ({ value: { seq, hash: tip } }) => eventEntry({ record, size: seq + 1, tip, salt: row.salt }),
    );
    // A damaged chain, which the nightly check reports, is not claimed to be logged.
    if (events.length < filled - row.filled) return { result: false };
    putPending(commit, events, LANES.backfill, now);
    logChains.put(commit, [record], { ...row, filled });
    return { result: filled < row.live_from - 1, commit };
  });

/**
 * Adds the entry that says that everything older than the log is in it, once nothing older is pending. So
 * its index is above those of all older entries.
 *
 * @param isFilled returns whether the migrations of the backfill have ended
 */
export async function completeLog(kv: Deno.Kv, isFilled: () => Promise<boolean>): Promise<void> {
  if (await completeSince(kv) !== null || !await isFilled()) return;
  const entry = completionEntry();
  await attemptOnce(async () => {
    const logged = await logIndex.get(kv, encodeHex(entry.slot));
    if (logged.value !== null) return { result: undefined };
    const left = await Array.fromAsync(logPending.list(kv, [LANES.backfill], { limit: 1 }));
    if (left.length > 0) return { result: undefined };
    const commit = kv.atomic().check(logged);
    // Always at the same key, so that two processes add one row.
    putPending(commit, [entry], LANES.backfill, 0);
    return { result: undefined, commit };
  });
}

/** Returns the size from which the log is complete; null before. */
export const completeSince = async (kv: Deno.Kv): Promise<number | null> =>
  (await logIndex.get(kv, encodeHex(completionEntry().slot))).value;
