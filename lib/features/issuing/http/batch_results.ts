/**
 * The results of a batch as a CSV file.
 *
 * @module
 */
import { textCell } from "../../../base/csv.ts";
import { type Columns, csvOf } from "../../../platform/listing/csv.ts";
import { type DocumentRow, documentRows, latestVersion } from "../../documents/mod.ts";
import { apiDocumentId, documentUrl } from "../document_object.ts";
import type { BatchLine, BatchRow } from "../batches/rows.ts";

interface Result {
  line: BatchLine;
  /** Null if the row has none, or it was erased. */
  document: DocumentRow | null;
}

/** The most keys of one read. */
const PAGE = 10;

/** One mail leads a recipient to all their documents of a batch, so its outcome is that of the later rows, too. */
async function* resultsOf(kv: Deno.Kv, lines: AsyncIterable<BatchLine>): AsyncGenerator<Result> {
  let page: BatchLine[] = [];
  /** Why the mails of recipients did not arrive. */
  const mails = new Map<string, string>();
  const read = async function* () {
    const keys = page.flatMap(({ document }): [string][] => document === null ? [] : [[document]]);
    const found = await documentRows.getMany(kv, keys);
    const documents = new Map(found.map(({ value }) => [value.id, value]));
    for (const line of page) {
      const document = documents.get(line.document ?? "") ?? null;
      const recipient = document?.recipient ?? "";
      if (line.mail !== null) mails.set(recipient, line.mail);
      const mail = line.mail ?? mails.get(recipient) ?? null;
      yield { line: { ...line, mail }, document };
    }
    page = [];
  };
  for await (const line of lines) {
    page.push(line);
    if (page.length === PAGE) yield* read();
  }
  yield* read();
}

const columnsOf = (trustUrl: (path: string) => string): Columns<Result> => ({
  line: ({ line }) => String(line.line),
  external_id: ({ line }) => line.external_id,
  external_id_unchanged: ({ line: { external_id } }) =>
    external_id === null || textCell(external_id) === external_id ? null : { raw: external_id },
  status: ({ line }) => line.state,
  error: ({ line }) => line.problem?.error ?? null,
  reason: ({ line }) => line.problem?.message ?? null,
  document: ({ line }) => line.document === null ? null : apiDocumentId(line.document),
  url: ({ document }) => document && documentUrl(trustUrl, document),
  original_sha256: ({ document }) => document && latestVersion(document).original.sha256,
  issued_sha256: ({ document }) => document && (latestVersion(document).issued?.sha256 ?? null),
  mail: ({ line }) => line.mail,
});

/** Streams the outcome of each row of a batch as a CSV file, in the order of the file that was sent. */
export const resultsResponse = (
  { kv, trustUrl }: { kv: Deno.Kv; trustUrl: (path: string) => string },
  { id }: BatchRow,
  lines: AsyncIterable<BatchLine>,
): Response => csvOf(`batch-${id}`, columnsOf(trustUrl), resultsOf(kv, lines));
