import { eachOf } from "../../base/slots.ts";
import { transact } from "../../platform/kv/mod.ts";
import type { Migration } from "../../platform/store/mod.ts";
import { documentEntry } from "../log/core.ts";
import { BACKFILL, ChainBehindLogError, LANES, type Log, putPending } from "../log/mod.ts";
import { logDocument, statementsOf } from "./statements.ts";
import { documents } from "./store.ts";

/** How many documents are read together. */
const BATCH = 50;

/** Adds the documents that are older than the public log to it. */
export const logDocuments = (
  { kv, clock, publicLog }: { kv: Deno.Kv; clock: () => number; publicLog: Log },
): Migration => {
  const addDocument = (id: string) =>
    transact(async () => {
      const entry = await documents.get(kv, id);
      if (entry.value === null || entry.value.log_salt !== undefined || entry.value.test) {
        return { result: undefined };
      }
      const commit = kv.atomic();
      const { value } = entry;
      try {
        const logged = await logDocument(publicLog, commit, value, value, clock());
        documents.replace(commit, entry, logged);
        return { result: undefined, commit };
      } catch (error) {
        if (!(error instanceof ChainBehindLogError)) throw error;
        // Another process has just added it, or its salt was lost with a restored backup.
        return { result: undefined };
      }
    });
  return {
    name: BACKFILL.documents,
    label: "documents in the public log",
    format: 8,
    beside: "documents are logged as they change, and the log says from when on it is complete",
    step: {
      async batch(cursor) {
        const start = documents.key(`${cursor}\0`);
        const ids = await Array.fromAsync(
          kv.list({ prefix: [documents.prefix], start }, { limit: BATCH, batchSize: BATCH }),
          ({ key }) => String(key[1]),
        );
        for (const id of ids) await addDocument(id);
        return { indexed: ids.length, next: ids.length < BATCH ? null : ids.at(-1)! };
      },
    },
  };
};

/** Adds all statements about all documents to a log that begins again. */
export const logDocumentsAgain = (kv: Deno.Kv, now: number): Promise<void> =>
  eachOf(documents.list(kv, []), async ({ value: { log_salt, ...document } }) => {
    if (log_salt === undefined) return; // the migration adds it
    const commit = kv.atomic();
    const entries = statementsOf({ ...document, log_salt }).map(documentEntry);
    putPending(commit, entries, LANES.backfill, now);
    await commit.commit();
  });

/** Returns how many statements were made about the documents of the store. */
export async function countStatements(kv: Deno.Kv): Promise<number> {
  let count = 0;
  for await (const { value } of documents.list(kv, [])) {
    if (!value.test) count += statementsOf({ ...value, log_salt: value.log_salt ?? "" }).length;
  }
  return count;
}
