/**
 * The reading of documents with their recipients for lists.
 *
 * @module
 */
import { readByTime, type TimeKey, type TimeRange } from "../../platform/listing/pages.ts";
import { type DocumentRow, documentRows } from "../documents/mod.ts";
import type { Recipient } from "./recipients.ts";

/** The most rows that a request reads. A page may then have fewer documents than it could. */
export const MOST_READ = 1_000;

/** A document as lists show it. */
export interface Listed {
  document: DocumentRow;
  /** Null if an administrator has added the document to a record. */
  recipient: Recipient | null;
}

/** A page of issued documents. */
export interface ListedPage {
  page: Listed[];
  /** Continues after this page; null on the last one. */
  next: TimeKey | null;
  /** True if the page is not full because many documents did not match. */
  cut: boolean;
}

export interface ListedOptions {
  kv: Deno.Kv;
  /** Reads the recipients of documents, by their ids. */
  recipientsOf(documents: readonly DocumentRow[]): Promise<Map<string, Recipient>>;
}

/**
 * Reads a page of the documents that an index lists with the keys `[...index, time, id]`, the newest first, with
 * their recipients.
 */
export async function readListed(
  { kv, recipientsOf }: ListedOptions,
  index: readonly string[],
  { range, limit, matches }: {
    range: Pick<TimeRange, "from" | "to" | "after">;
    limit: number;
    matches: (listed: Listed) => boolean;
  },
): Promise<ListedPage> {
  const page: Listed[] = [];
  let read = 0;
  let last: TimeKey | null = null;
  for await (const { entries, next } of readByTime(kv, index, { ...range, first: limit + 1 })) {
    const ids = entries.map(({ key }): [string] => [String(key.at(-1))]);
    const rows = (await documentRows.getMany(kv, ids)).map(({ value }) => value);
    const people = await recipientsOf(rows);
    for (const document of rows) {
      const listed = { document, recipient: people.get(document.recipient ?? "") ?? null };
      if (matches(listed)) {
        if (page.length === limit) return { page, next: last, cut: false };
        page.push(listed);
      }
      last = [document.created_at, document.id];
      if (++read === MOST_READ && next !== null) return { page, next: last, cut: true };
    }
  }
  return { page, next: null, cut: false };
}
