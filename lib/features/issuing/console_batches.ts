/** The console's pages of batches: their lists, rows and forms. */
import type { DocumentRow, Documents } from "../documents/mod.ts";
import type { Failure } from "../../base/result.ts";
import type { BatchAct, Batches, BatchLine, BatchOwner, BatchRow } from "./batches/mod.ts";
import type { Issuing } from "./mod.ts";
import type { Recipient } from "./recipients.ts";
import { issuerPath } from "../issuers/mod.ts";

/** A batch, and the issuer for which it is. */
export interface OwnBatch {
  owner: BatchOwner;
  batch: BatchRow;
}

/** Returns the path of the console's page of a batch. */
export const batchPath = ({ issuer, id }: Pick<BatchRow, "issuer" | "id">): string =>
  `${issuerPath(issuer)}/batches/${id}`;

/** Returns the batches of an issuer, and the files that are checked and not issued yet, the newest first. */
export async function listOwnBatches(
  { list, checked }: Batches,
  id: string,
): Promise<{ begun: BatchRow[]; checked: BatchRow[] }> {
  const read = async (
    of: (owner: { issuer: { id: string }; test: boolean }) => Promise<BatchRow[]>,
  ) =>
    (await Promise.all([false, true].map((test) => of({ issuer: { id }, test })))).flat()
      .sort((a, b) => a.created_at < b.created_at ? 1 : -1);
  const [begun, waiting] = await Promise.all([read(list), read(checked.list)]);
  return { begun, checked: waiting };
}

/**
 * Does what a form on the page of a batch asks for.
 *
 * @returns the path of the page to show then
 */
export async function actOnBatch(
  batches: Batches,
  { owner, batch }: OwnBatch,
  { act, by }: { act: BatchAct; by: string },
): Promise<{ ok: true; href: string } | Failure> {
  if (act === "discard") {
    await batches.checked.discard(owner, batch.id);
    return { ok: true, href: `${issuerPath(owner.issuer.id)}/batches/new` };
  }
  const done = act === "issue"
    ? await batches.checked.issue(owner, batch.id, by)
    : await batches[act](owner, batch.id, by);
  return done.ok ? { ok: true, href: batchPath(batch) } : done;
}

/** How many rows a page of a batch lists. */
export const ROWS_PER_PAGE = 25;

/** A row of a batch with its document and recipient, once it has them. */
export interface BatchItem {
  line: BatchLine;
  document: DocumentRow | null;
  recipient: Recipient | null;
}

/** The rows of a page of a batch. */
export interface BatchItems {
  items: BatchItem[];
  /** The number of the row with which the page begins, from 0. */
  from: number;
  /** The number of the row with which the next page begins; null on the last one. */
  next: number | null;
  /** True if these are only rows whose mail did not arrive. */
  undelivered: boolean;
}

/**
 * Reads the rows of a page of a batch, which begins at the row that the URL names. With `mail=failed`, they are only
 * those whose mail did not arrive.
 */
export async function readBatchItems(
  { batches, documents, issuing }: {
    batches: Batches;
    documents: Pick<Documents, "readMany">;
    issuing: Pick<Issuing, "recipientsOf">;
  },
  batch: BatchRow,
  { searchParams }: URL,
): Promise<BatchItems> {
  const from = rowNumber(searchParams.get("from"), batch) ?? 0;
  const undelivered = searchParams.get("mail") === "failed";
  const { lines, next } = undelivered
    ? await readUndelivered(batches, batch, from)
    : await readLines(batches, batch, from);
  const found = await documents.readMany(lines.flatMap(({ document }) => document ?? []));
  const people = await issuing.recipientsOf(found);
  const byId = new Map(found.map((document) => [document.id, document]));
  const items = lines.map((line) => {
    const document = byId.get(line.document ?? "") ?? null;
    return { line, document, recipient: people.get(document?.recipient ?? "") ?? null };
  });
  return { items, from, next, undelivered };
}

async function readLines({ checked }: Batches, batch: BatchRow, from: number) {
  const next = from + ROWS_PER_PAGE;
  const numbers = Array.from({ length: ROWS_PER_PAGE }, (_, i) => from + i);
  return {
    lines: await checked.rows(batch, numbers),
    next: next < batch.rows ? next : null,
  };
}

async function readUndelivered({ checked }: Batches, batch: BatchRow, from: number) {
  const lines = await checked.undelivered(batch, { from, limit: ROWS_PER_PAGE + 1 });
  return { lines: lines.slice(0, ROWS_PER_PAGE), next: lines[ROWS_PER_PAGE]?.n ?? null };
}

/** Returns the number of a row in a URL, from 0; null if the batch has no such row. */
export function rowNumber(text: string | null, { rows }: Pick<BatchRow, "rows">): number | null {
  const number = text !== null && /^\d{1,5}$/.test(text) ? Number(text) : rows;
  return number < rows ? number : null;
}
