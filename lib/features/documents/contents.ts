import { type DocumentRow, listDocuments } from "./store.ts";

/** The contents of a record, by which its holder tells it from others. */
export interface RecordContents {
  /** The names of those who made its documents, without repetitions, in the order of the documents. */
  issuers: string[];
  /** Its documents, oldest first. */
  documents: Pick<DocumentRow, "id" | "title">[];
}

/** Returns what records contain, by their hashes. */
export async function contentsOf(
  kv: Deno.Kv,
  records: readonly string[],
): Promise<Map<string, RecordContents>> {
  const contents = records.map(async (hash) => {
    const documents = await listDocuments(kv, hash);
    const issuers = [...new Set(documents.map(({ issuer }) => issuer.name))];
    return [hash, { issuers, documents }] as const;
  });
  return new Map(await Promise.all(contents));
}
