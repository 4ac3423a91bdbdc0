import { eachOf } from "../../base/slots.ts";
import { documentEntry } from "../../../packages/proof/mod.ts";
import { LANES, putPending } from "../log/mod.ts";
import { statementsOf } from "./statements.ts";
import { documents } from "./store.ts";

/** Adds all statements about all documents to a log that begins again. */
export const logDocumentsAgain = (kv: Deno.Kv, now: number): Promise<void> =>
  eachOf(documents.list(kv, []), async ({ value: { log_salt, ...document } }) => {
    if (log_salt === undefined) return; // a test document
    const commit = kv.atomic();
    const entries = statementsOf({ ...document, log_salt }).map(documentEntry);
    putPending(commit, entries, LANES.again, now);
    await commit.commit();
  });

/** Counts the statements about each document of the store. */
export async function* countStatements(
  kv: Deno.Kv,
): AsyncGenerator<{ id: string; statements: number }> {
  for await (const { value: { log_salt, ...document } } of documents.list(kv, [])) {
    if (log_salt === undefined) continue; // a test document
    yield { id: document.id, statements: statementsOf({ ...document, log_salt }).length };
  }
}
