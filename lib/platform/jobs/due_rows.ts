/** The background jobs that delete stored rows once they are due. */
import { z } from "zod";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { type DeleteDue, DUE_JOBS, type TableDescription } from "../kv/mod.ts";
import type { Job } from "./jobs.ts";
import { sweepRows } from "./sweep.ts";

/** How features delete their rows that are due, by the prefixes of the tables. */
export type DeletesDue = Readonly<Record<string, DeleteDue>>;

/** The table and the row after which an unfinished run continues. */
const cursorSchema = z.strictObject({ prefix: z.string(), last: z.unknown() });

/**
 * Creates the two jobs that delete the rows that are due: one every five minutes, and one at night for large
 * tables.
 *
 * @param options.tables all tables, of which those with `due` are read
 * @throws {TypeError} if a table has only one of `due` and an entry in `deletes`
 */
export function dueRowsJobs(
  { tables, deletes, ...store }: {
    kv: Deno.Kv;
    clock: () => number;
    tables: readonly TableDescription[];
    deletes: DeletesDue;
  },
): Job[] {
  const swept = tables.flatMap(({ prefix, due }) =>
    due === undefined ? [] : { prefix, due, remove: deletes[prefix] }
  );
  const prefixes = new Set(swept.map(({ prefix }) => prefix));
  const unmatched = prefixes.symmetricDifference(new Set(Object.keys(deletes)));
  if (unmatched.size > 0) {
    throw new TypeError(`Only one of "due" and "deletesDue" names ${[...unmatched].join(", ")}.`);
  }
  const common = { maxMs: MINUTE_MS, resumeMs: MINUTE_MS };
  return [{
    ...common,
    name: DUE_JOBS.often,
    title: "Deleting what is due",
    everyMs: 5 * MINUTE_MS,
    run: (context) => deleteDue(store, swept.filter(({ due }) => !due.nightly), context),
  }, {
    ...common,
    name: DUE_JOBS.nightly,
    title: "Deleting what is due once a night",
    everyMs: DAY_MS,
    dailyAtMs: 3 * HOUR_MS,
    run: (context) => deleteDue(store, swept.filter(({ due }) => due.nightly), context),
  }];
}

type Swept = Required<Pick<TableDescription, "prefix" | "due">> & { remove: DeleteDue };

/** Deletes the rows that are due in some tables. A table in which it fails does not stop the others. */
async function deleteDue(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  tables: readonly Swept[],
  { cursor, signal, save }: Parameters<Job["run"]>[0],
): Promise<string> {
  const begun = cursorSchema.safeParse(cursor).data;
  const first = Math.max(0, tables.findIndex(({ prefix }) => prefix === begun?.prefix));
  let deleted = 0;
  const errors: unknown[] = [];
  for (const { prefix, due, remove } of tables.slice(first)) {
    const context = {
      cursor: prefix === begun?.prefix ? begun.last : null,
      signal,
      save: (last: unknown) => save({ prefix, last }),
    };
    const step = async (entry: Deno.KvEntry<never>) =>
      due.when(entry.value, clock()) && await remove(entry);
    try {
      deleted += await sweepRows<never>(kv, prefix, context, step);
    } catch (error) {
      errors.push(error);
    }
    if (signal.aborted) break;
  }
  if (errors.length > 0 && !signal.aborted) {
    await save(null);
    throw errors[0];
  }
  return `${deleted} deleted`;
}
