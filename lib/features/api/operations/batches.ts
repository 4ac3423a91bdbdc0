/** Descriptions of the operations on batches, which issue a certificate for each row of a file. */
import { z } from "zod";
import {
  batchCheckInput,
  batchCheckSchema,
  batchListSchema,
  batchObjectSchema,
  MAX_LINES,
  MAX_ROWS,
  newBatchSchema,
  rowProblems,
} from "../../issuing/batches/mod.ts";
import { CERTIFICATE_FIELDS, emptySchema } from "../../issuing/mod.ts";
import { formatCount } from "../../../base/time.ts";
import {
  BINARY,
  invalid,
  NOT_MODIFIED,
  type Operation,
  type OperationError,
} from "../operation.ts";

const ID = "9c1d0f0e-6a9b-4d53-8a55-0d2c8b0f6a11";

const BATCH = {
  object: "batch",
  id: ID,
  test: true,
  state: "issuing",
  stopped: null,
  file_name: "graduates.csv",
  rows: 2,
  issued: 0,
  failed: 0,
  sent: 0,
  removed: 0,
  kept: 0,
  returned: 0,
  created_at: "2026-11-28T09:30:00.000Z",
  send_at: null,
  finished_at: null,
  expires_at: "2026-12-28T09:30:00.000Z",
};
const HELD = {
  ...BATCH,
  state: "holding",
  issued: 2,
  send_at: "2026-11-28T10:30:00.000Z",
};

const FILE = [
  "name,email,external_id,grade",
  "Grace Student,grace@example.org,2026-0117,Competent",
  "Zoë Müller,zoe@example.org,2026-0118,Competent",
  "",
].join("\n");

const idParams = z.object({ id: z.string().describe("The id of the batch.") });

const UNKNOWN: OperationError = {
  codes: ["not_found"],
  description: "There is no such batch of the issuer in this mode, or it has expired.",
};

const AGAIN = ["idempotency_mismatch", "idempotency_in_progress"] as const;
const REPEATED = "Another request was sent with this `Idempotency-Key`, or the same request is " +
  "still running. ";

const COMMON = { group: "Bulk", surfaces: ["api"] } as const;
const READ = { ...COMMON, method: "get", keyScope: "documents:read" } as const;
const WRITE = {
  ...COMMON,
  method: "post",
  keyScope: "documents:write",
  requestHeaders: ["Idempotency-Key"],
} as const;

const batchResponse = (description: string) => ({
  description,
  schema: batchObjectSchema,
  optionalHeaders: ["Idempotent-Replayed"] as const,
});

const QUERY = {
  title: "Certificate III in Early Childhood Education",
  date: "2026-11-20",
  file_name: "graduates.csv",
};

/** In the URL, the field of the form would have the name that many clients give to the body. */
const CSV = {
  body: BINARY.meta({ format: "binary", description: "A CSV file." }),
  bodyType: "text/csv",
  form: { body: String(CERTIFICATE_FIELDS.body.meta()?.description) },
} as const;

const FILE_ERRORS: Operation["errors"] = {
  400: {
    codes: ["invalid_request", "invalid_rows"],
    description: "A parameter is invalid, or the file cannot be read. Or `invalid_rows`: `rows` " +
      "names each problem, at most 1,000 of them.",
    details: Object.fromEntries(
      Object.entries(rowProblems).map(([name, schema]) => [name, schema.optional()]),
    ),
  },
  413: {
    codes: ["too_large"],
    description: "The file has too many rows or lines, or more than 8 MiB.",
  },
};

/** The operations that change the course of a batch. */
const change = (
  operation: Pick<Operation, "id" | "path" | "summary" | "description">,
  { description, conflict, response }: {
    description: string;
    conflict: string;
    response: unknown;
  },
) => ({
  ...WRITE,
  ...operation,
  params: idParams,
  body: emptySchema,
  responses: { 200: batchResponse(description) },
  errors: {
    400: invalid("A field is unknown."),
    404: UNKNOWN,
    409: {
      codes: [...AGAIN, "conflict"],
      description: `${REPEATED}Or \`conflict\`: ${conflict}`,
      optionalHeaders: ["Retry-After"],
    },
  },
  example: { params: { id: ID }, body: {}, response },
} satisfies Operation);

export const createBatch = {
  ...WRITE,
  id: "createBatch",
  path: "/api/documents/batches",
  summary: "Issue many certificates",
  description:
    `Issues a certificate for each row of a CSV file in UTF-8, at most ${
      formatCount(MAX_ROWS)
    } rows, ` +
    "50,000 a day, " +
    `${formatCount(MAX_LINES)} lines and 8 MiB. The first row ` +
    "names the columns: `name`, `email`, and any of `language`, `name_latin`, `external_id`, " +
    "`title`, `type`, `date`, `expires_on`, `subtitle`, `body`, `grade`, `signatory`, " +
    "`signatory_title` and `paper`. " +
    "Parameters of the URL apply to all rows that have no value of their own. A request with " +
    "the same rows within ten minutes is refused, so that nobody is emailed twice, unless " +
    "it has an `Idempotency-Key`. The file is checked as a whole: if " +
    "a row has a problem, nothing is issued, and the response names every problem. Documents can be " +
    "checked as soon as they are issued. An hour after the last one, their recipients are emailed, " +
    "each of them once. Until then, the batch can be cancelled, or sent immediately. Instead of " +
    "the CSV file alone, you can send a form with the parameters as fields, and the file at the end.",
  query: newBatchSchema,
  ...CSV,
  responses: { 201: batchResponse("The file has no problems. Its documents are being issued.") },
  errors: {
    ...FILE_ERRORS,
    409: {
      codes: [...AGAIN, "conflict", "duplicate_batch"],
      description:
        `${REPEATED}Or \`conflict\`: ten batches are in progress; for tests, those whose ` +
        "emails wait do not count. Or `duplicate_batch`: without an `Idempotency-Key`, the same rows " +
        "of the same key have begun a batch within ten minutes, which `batch` names.",
      optionalHeaders: ["Retry-After"],
      details: { batch: z.string().optional().describe("The id of the batch that was begun.") },
    },
  },
  example: { query: QUERY, body: FILE, response: BATCH },
} satisfies Operation;

export const checkBatch = {
  ...WRITE,
  id: "checkBatch",
  path: "/api/documents/batches/check",
  summary: "Check a file before you issue it",
  description:
    "Takes the same file and parameters as `createBatch`, checks the file as a whole, and issues " +
    "nothing. If a row has a problem, the response names every problem.",
  query: batchCheckInput,
  ...CSV,
  responses: {
    200: {
      description: "The file has no problems, apart from rows that are left out.",
      schema: batchCheckSchema,
      optionalHeaders: ["Idempotent-Replayed"],
    },
  },
  errors: {
    ...FILE_ERRORS,
    409: { codes: AGAIN, description: REPEATED.trim(), optionalHeaders: ["Retry-After"] },
  },
  example: {
    query: QUERY,
    body: FILE,
    response: { object: "batch_check", rows: 2, left_out: [] },
  },
} satisfies Operation;

export const listBatches = {
  ...READ,
  id: "listBatches",
  path: "/api/documents/batches",
  summary: "List batches",
  description: "Returns the newest 100 batches of the last 90 days, or 30 days for tests.",
  responses: { 200: { description: "The batches.", schema: batchListSchema } },
  errors: {},
  example: { response: { object: "list", data: [HELD] } },
} satisfies Operation;

export const readBatch = {
  ...READ,
  id: "readBatch",
  path: "/api/documents/batches/:id",
  summary: "Read or follow a batch",
  description: "Returns a batch with its progress. For `Accept: text/event-stream`, the same URL " +
    "sends the batch whenever it has changed, and ends once the batch is `done` or `undone`.",
  params: idParams,
  requestHeaders: ["If-None-Match", "Last-Event-ID"],
  responses: {
    200: { description: "The batch.", schema: batchObjectSchema, optionalHeaders: ["ETag"] },
    304: NOT_MODIFIED,
  },
  stream: `id: holding.2\ndata: ${JSON.stringify(HELD)}\n\n`,
  errors: { 404: UNKNOWN },
  example: { params: { id: ID }, response: HELD },
} satisfies Operation;

export const sendBatch = change({
  id: "sendBatch",
  path: "/api/documents/batches/:id/send",
  summary: "Send the emails now",
  description: "Emails the recipients without waiting for an hour; if documents are still being " +
    "issued, after the last one. If it has stopped because emails came back, the rest is emailed. Repeating " +
    "it changes nothing.",
}, {
  description: "The emails are sent now.",
  conflict: "the batch was cancelled.",
  response: { ...HELD, send_at: "2026-11-28T09:31:00.000Z" },
});

export const cancelBatch = change({
  id: "cancelBatch",
  path: "/api/documents/batches/:id/cancel",
  summary: "Cancel a batch",
  description:
    "Stops a batch before its emails are due, and erases its documents and the data of their " +
    "recipients. Documents whose recipients already know about them are kept. If it has stopped because emails came " +
    "back, the documents that nobody was emailed about are erased. Repeating it changes nothing.",
}, {
  description: "The documents are being erased.",
  conflict: "emails are being sent, were or are due. Withdraw documents instead.",
  response: { ...HELD, state: "undoing" },
});

export const readBatchResults = {
  ...READ,
  id: "readBatchResults",
  path: "/api/documents/batches/:id/results",
  summary: "Download the results",
  description:
    "Returns the outcome of each row as a CSV file, in the order of the file that was sent: its `line` " +
    "and `external_id` (with `external_id_unchanged` if a spreadsheet could take it for a formula, so that `'` is put before it), the `status` (`waiting`, `issued`, `sent`, `failed`, `removed` or `kept`), `error` and " +
    "`reason` if it has failed, the `document` with its `url` and hashes, and in `mail` why its email did not " +
    "arrive: `recipient_refused` if the address takes none, `address_stopped` if it was refused before or its " +
    "owner wants none, or another code.",
  params: idParams,
  responses: {
    200: {
      description: "The results, as CSV in UTF-8 with a byte order mark.",
      schema: BINARY,
      type: "text/csv",
      headers: ["Content-Disposition"],
    },
  },
  errors: { 404: UNKNOWN },
  example: {
    params: { id: ID },
    response:
      '"line","external_id","external_id_unchanged","status","error","reason","document","url","original_sha256","issued_sha256"\r\n',
  },
} satisfies Operation;

/** The operations for issuers with many documents. */
export const BATCH_OPERATIONS: readonly Operation[] = [
  createBatch,
  checkBatch,
  listBatches,
  readBatch,
  sendBatch,
  cancelBatch,
  readBatchResults,
];
