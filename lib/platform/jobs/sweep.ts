/** Lets a job work through all rows of a table in pages, and continue later where it stopped. */
import { z } from "zod";
import type { JobContext } from "./jobs.ts";

/** How many rows are read before the progress is saved. */
const PAGE = 100;

/** The id of the row after which an unfinished run continues. */
const cursorSchema = z.union([z.string(), z.number()]);

/**
 * Works through the rows `[prefix, id]` in a job. A run that runs out of time saves its position,
 * and the next one continues there. A row that fails does not stop the others.
 *
 * @param step handles a row, and returns whether it counts
 * @returns the number of rows that count
 * @throws the first error of a row, after all others
 */
export async function sweepRows<Row>(
  kv: Deno.Kv,
  prefix: string,
  { cursor, signal, save }: JobContext,
  step: (entry: Deno.KvEntry<Row>, id: string) => Promise<boolean>,
): Promise<number> {
  let last = cursorSchema.safeParse(cursor).data;
  let count = 0;
  const errors: unknown[] = [];
  while (true) {
    // This key comes right after that of `last`, because `start` includes its key.
    const start = last === undefined ? [prefix, ""] : [prefix, last, ""];
    const selector = { prefix: [prefix], start };
    const page = await Array.fromAsync(kv.list<Row>(selector, { limit: PAGE, batchSize: PAGE }));
    for (const entry of page) {
      if (signal.aborted) break;
      const id = entry.key[1] as string | number;
      try {
        if (await step(entry, String(id))) count++;
      } catch (error) {
        errors.push(error);
      }
      last = id;
    }
    if (!signal.aborted && page.length < PAGE) break;
    await save(last ?? null);
    if (signal.aborted) return count;
  }
  if (errors.length === 0) return count;
  await save(null); // otherwise a run after a failed one would continue after its last page
  throw errors[0];
}
