/** The benchmark `log`: how many entries per second the public log can add to its tree. */
import { join } from "node:path";
import { LANES, putPending } from "../lib/features/log/store/pending.ts";
import { sequenceBatch } from "../lib/features/log/store/sequence.ts";
import { testEntries } from "../lib/features/log/testing/fixtures.ts";
import { BUNDLE_ENTRY_BYTES } from "../packages/proof/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { slowKv } from "../lib/platform/kv/testing/slow_kv.ts";
import { atLeast, integer, type Table } from "./table.ts";

/** The least rate, in entries per second on one core. */
const TARGET = 1_000;

/** The entries of a commit, and the number of commits. */
const BATCH = 256;
const BATCHES = 40;

/** Measures how fast pending entries move into the tree, compared with commits of as many rows. */
export async function run(): Promise<Table[]> {
  const rows = [];
  for (const [store, delayMs] of [["a file", 0], ["a file with 5 ms per call", 5]] as const) {
    const own = await withStore(delayMs, async (kv, fill) => {
      await fill();
      return await timed(async () => {
        for (let more = true; more;) {
          const batch = await sequenceBatch(kv);
          if (!batch.ok) throw new Error(batch.reason);
          more = batch.more;
        }
      });
    });
    const bare = await withStore(delayMs, (kv) =>
      timed(async () => {
        for (let i = 0; i < BATCHES; i++) {
          const bundle = new Uint8Array(BATCH * BUNDLE_ENTRY_BYTES);
          const commit = kv.atomic().set(["bundle", i], bundle);
          for (let j = 0; j < BATCH; j++) {
            const slot = (i * BATCH + j).toString(16).padStart(64, "0");
            commit.set(["log_index", slot], j).delete(["log_pending", 0, 0, slot]);
          }
          await commit.commit();
        }
      }));
    const rate = (ms: number) => BATCH * BATCHES * 1000 / ms;
    const [perSecond, ratio] = [rate(own), bare / own];
    rows.push([
      store,
      integer(perSecond),
      integer(rate(bare)),
      ratio.toFixed(2),
      atLeast(TARGET, perSecond),
    ]);
  }
  return [{
    title: "`log`: entries that are added to the log",
    columns: ["store", "per second", "bare commits of as many rows", "ratio", "target"],
    rows,
  }];
}

async function withStore<Result>(
  delayMs: number,
  measure: (kv: Deno.Kv, fill: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const folder = await Deno.makeTempDir();
  const kv = await openKv(join(folder, "log.kv"));
  const fill = async () => {
    for (let i = 0; i < BATCHES; i++) {
      const commit = kv.atomic();
      const names = Array.from({ length: BATCH }, (_, j) => `${i} ${j}`);
      putPending(commit, testEntries(names), LANES.live, i * 10_000);
      await commit.commit();
    }
  };
  try {
    return await measure(delayMs === 0 ? kv : slowKv(kv, delayMs), fill);
  } finally {
    kv.close();
    await Deno.remove(folder, { recursive: true });
  }
}

async function timed(step: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await step();
  return performance.now() - start;
}
