/** Descriptions of the operations on documents that issuers call with an API key. */
import { z } from "zod";
import { callerSchema } from "../../issuers/mod.ts";
import {
  documentCheckSchema,
  documentListSchema,
  documentObjectSchema,
  emptySchema,
  fileQuerySchema,
  listSchema,
  newDocumentSchema,
  newVersionSchema,
  simulateSchema,
  withdrawSchema,
} from "../../issuing/mod.ts";
import { BINARY, invalid, limited, type Operation, type OperationError } from "../operation.ts";

const ID = "k3v9-qxw2-m7rb-t4hd";
const SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

const DOCUMENT = {
  object: "document",
  id: ID,
  test: true,
  external_id: "2026-0117",
  title: "Certificate III in Early Childhood Education",
  type: "Certificate",
  date: "2026-11-20",
  public: false,
  status: "current",
  withdrawn_reason: null,
  expires_on: null,
  created_at: "2026-11-28T09:30:00.000Z",
  url: "https://trust.example/d/K3V9-QXW2-M7RB-T4HD",
  recipient: { name: "Grace Student", email: "grace@example.org", status: "waiting" },
  issuer: { name: "Harbour College", domain: "harbour.example", domain_verified: true },
  versions: [{
    number: 1,
    at: "2026-11-28T09:30:00.000Z",
    state: "current",
    original_sha256: SHA256,
    issued_sha256: "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
    pages: 1,
    left_out: [],
    compared_pages: 1,
  }],
  mail: "none",
};

const NEW_DOCUMENT = {
  recipient: { name: "Grace Student", email: "grace@example.org" },
  title: "Certificate III in Early Childhood Education",
  type: "Certificate",
  date: "2026-11-20",
  external_id: "2026-0117",
  template: {
    name: "certificate",
    fields: { subtitle: "CHC30121", grade: "Competent", signatory: "Ruth Harbour" },
  },
};

const idParams = z.object({
  id: z.string().describe("The document's id, with or without hyphens, in any case."),
});

const UNKNOWN: OperationError = {
  codes: ["not_found"],
  description:
    "There is no such document among those that the issuer has issued through the API, " +
    "with keys of this mode. It may have been erased with its recipient's record.",
};

/** The errors of every operation that can be repeated with an `Idempotency-Key`. */
export const CONFLICT = (description: string, ...codes: string[]): OperationError => ({
  codes: ["idempotency_mismatch", "idempotency_in_progress", ...codes],
  description:
    "Another request was sent with this `Idempotency-Key`, or the same request is still " +
    `running. ${description}`.trim(),
  optionalHeaders: ["Retry-After"],
});

const ERASED: OperationError = {
  codes: ["erased"],
  description: "The request has succeeded before, but the saved response was erased with the " +
    "recipient's data.",
};

const ONCE = {
  method: "post",
  surfaces: ["api"],
  group: "Issuing",
  keyScope: "documents:write",
  requestHeaders: ["Idempotency-Key"],
} as const;

const READ = {
  method: "get",
  surfaces: ["api"],
  group: "Issuing",
  keyScope: "documents:read",
} as const;

const documentResponse = (description: string) => ({
  description,
  schema: documentObjectSchema,
  optionalHeaders: ["Idempotent-Replayed"] as const,
});

export const readIssuer = {
  id: "readIssuer",
  group: "Issuing",
  method: "get",
  path: "/api/documents/issuer",
  surfaces: ["api"],
  summary: "Check an API key",
  description:
    "Returns the issuer that the key belongs to, and what the key may do. Any key works.",
  keyScope: "any",
  responses: { 200: { description: "The issuer and the key.", schema: callerSchema } },
  errors: {},
  example: {
    response: {
      object: "issuer",
      name: "Harbour College",
      domain: "harbour.example",
      domain_verified: true,
      state: "active",
      test: true,
      key: {
        last4: "1nW2",
        scopes: ["documents:read", "documents:write"],
        expires_at: "2027-11-28T09:30:00.000Z",
      },
      rate_limit: 600,
    },
  },
} satisfies Operation;

export const issueDocument = {
  ...ONCE,
  id: "issueDocument",
  path: "/api/documents",
  summary: "Issue a document",
  description:
    "Issues a document to a person, who is emailed a link. The document can be checked at once. It waits " +
    "until the recipient accepts it, and then belongs to their record. Later documents to the same " +
    "address get there at once. Send the content as a file in base64, at most 10 MiB, or as a form with " +
    "the file at the end; or as a `template` from which we make a certificate. A PDF gets a copy with codes on " +
    "every page, which shows what the PDF shows, or the PDF is refused; `left_out` names " +
    "what the copy leaves out, and `checkNewDocument` reports this before anything is " +
    "issued. Repeat a request that " +
    "got no response with the same `Idempotency-Key`: for 24 hours, you get the first response.",
  body: newDocumentSchema,
  form: {},
  responses: {
    201: documentResponse("The document is issued."),
  },
  errors: {
    400: invalid("A field is invalid, or the file cannot be issued: `issues` says why."),
    409: CONFLICT(
      "Or `recipient_refused`: the owner of the address has said that it is not the recipient's; " +
        "`recipient_unavailable`: the recipient is deleting their record; `too_many_documents`: the " +
        "recipient has 100 documents of yours.",
      "recipient_refused",
      "recipient_unavailable",
      "too_many_documents",
    ),
    410: ERASED,
  },
  example: {
    body: NEW_DOCUMENT,
    response: DOCUMENT,
  },
} satisfies Operation;

export const checkNewDocument = {
  ...ONCE,
  id: "checkNewDocument",
  path: "/api/documents/check",
  summary: "Check a document before you issue it",
  description:
    "Takes the same body as `issueDocument`, makes the document and its copy, and issues nothing. The " +
    "response says what the copy leaves out of a PDF; a file that cannot be issued is refused with the " +
    "same error.",
  body: newDocumentSchema,
  form: {},
  responses: {
    200: {
      description: "The document can be issued.",
      schema: documentCheckSchema,
      optionalHeaders: ["Idempotent-Replayed"],
    },
  },
  errors: {
    400: invalid("A field is invalid, or the file cannot be issued: `issues` says why."),
    409: CONFLICT(""),
    410: ERASED,
  },
  example: {
    body: NEW_DOCUMENT,
    response: {
      object: "document_check",
      pages: 1,
      has_copy: true,
      left_out: [],
      compared_pages: 1,
    },
  },
} satisfies Operation;

export const listDocuments = {
  ...READ,
  id: "listDocuments",
  path: "/api/documents",
  summary: "List documents",
  description:
    "Returns the documents that the issuer has issued through the API with keys of this mode, the " +
    "newest first. Repeat the request with `cursor` until `next_cursor` is null. With filters, a page " +
    "may have fewer documents than `limit`, or none, and a cursor nevertheless. Requests with `email` " +
    "have an address in their URL, so keep them out of your logs.",
  query: listSchema,
  responses: { 200: { description: "A page of documents.", schema: documentListSchema } },
  errors: { 400: invalid("A parameter is invalid, unknown or repeated.") },
  example: {
    query: { external_id: "2026-0117", limit: "10" },
    response: { object: "list", data: [DOCUMENT], next_cursor: null },
  },
} satisfies Operation;

export const readDocument = {
  ...READ,
  id: "readDocument",
  path: "/api/documents/:id",
  summary: "Read a document",
  description: "Returns a document with its recipient, its state and its versions.",
  params: idParams,
  responses: { 200: { description: "The document.", schema: documentObjectSchema } },
  errors: { 404: UNKNOWN },
  example: { params: { id: ID }, response: DOCUMENT },
} satisfies Operation;

export const downloadDocument = {
  ...READ,
  id: "downloadDocument",
  path: "/api/documents/:id/file",
  summary: "Download a file",
  description:
    "Returns a file of a document. PDFs have an issued copy, with codes on every page; " +
    "of other files, `issued` is the original.",
  params: idParams,
  query: fileQuerySchema,
  responses: {
    200: {
      description: "The file, with its media type.",
      schema: BINARY,
      type: "*/*",
      headers: ["Content-Disposition"],
    },
  },
  errors: {
    400: invalid("A parameter is invalid, unknown or repeated."),
    404: UNKNOWN,
    410: {
      codes: ["erased"],
      description:
        "The files are erased, because the recipient has refused the document, or has not " +
        "accepted it in 90 days. The hashes can still be checked.",
    },
  },
  example: { params: { id: ID }, query: { form: "original" } },
} satisfies Operation;

export const replaceDocument = {
  ...ONCE,
  id: "replaceDocument",
  path: "/api/documents/:id/versions",
  summary: "Replace a document",
  description:
    "Adds a version, which replaces the current one. Whoever checks an earlier version " +
    "learns that there is a newer one.",
  params: idParams,
  body: newVersionSchema,
  form: {},
  responses: { 200: documentResponse("The document with its new version.") },
  errors: {
    400: invalid("A field is invalid, or the file cannot be issued: `issues` says why."),
    404: UNKNOWN,
    409: CONFLICT(
      "Or `conflict`: the file is already the current version; `too_many_versions`: the document has " +
        "100 versions; `recipient_refused`: the owner of the address has said that it is not the " +
        "recipient's; `recipient_forgotten`: nobody accepted the document in time, so its files are " +
        "erased.",
      "conflict",
      "too_many_versions",
      "recipient_refused",
      "recipient_forgotten",
    ),
    410: ERASED,
  },
  example: {
    params: { id: ID },
    body: { file: "QSBjZXJ0aWZpY2F0ZSwgY29ycmVjdGVk", file_name: "certificate.txt" },
    response: {
      ...DOCUMENT,
      versions: [
        { ...DOCUMENT.versions[0], state: "replaced" },
        { ...DOCUMENT.versions[0], number: 2, at: "2026-11-29T10:00:00.000Z" },
      ],
    },
  },
} satisfies Operation;

export const withdrawDocument = {
  ...ONCE,
  id: "withdrawDocument",
  path: "/api/documents/:id/withdraw",
  summary: "Withdraw a document",
  description: "Withdraws the current version. Everybody who checks the document sees that it is " +
    "withdrawn, and the reason. A new version puts it in force again.",
  params: idParams,
  body: withdrawSchema,
  responses: { 200: documentResponse("The document, withdrawn.") },
  errors: {
    400: invalid("The reason is missing or too long."),
    404: UNKNOWN,
    409: CONFLICT("Or `conflict`: the document is already withdrawn.", "conflict"),
    410: ERASED,
  },
  example: {
    params: { id: ID },
    body: { reason: "The assessment was annulled." },
    response: {
      ...DOCUMENT,
      status: "withdrawn",
      withdrawn_reason: "The assessment was annulled.",
      versions: [{ ...DOCUMENT.versions[0], state: "withdrawn" }],
    },
  },
} satisfies Operation;

export const resendDocument = {
  ...ONCE,
  id: "resendDocument",
  path: "/api/documents/:id/resend",
  summary: "Email the recipient again",
  description:
    "Sends the email about a document again, at most three times in 24 hours. For a test, " +
    "nothing is sent.",
  params: idParams,
  body: emptySchema,
  responses: { 200: documentResponse("The email is queued.") },
  errors: {
    400: invalid("A field is unknown."),
    404: UNKNOWN,
    409: CONFLICT(
      "Or `recipient_forgotten`: name and address of the recipient are erased.",
      "recipient_forgotten",
    ),
    410: ERASED,
    429: limited("The recipient was emailed three times in the last 24 hours."),
  },
  example: { params: { id: ID }, body: {}, response: DOCUMENT },
} satisfies Operation;

export const simulateRecipient = {
  ...ONCE,
  id: "simulateRecipient",
  path: "/api/documents/:id/simulate",
  summary: "Simulate the recipient",
  description:
    "Does in a test what the recipient would do: accept the documents, refuse them, or let " +
    "90 days pass. It sends the same events as the real thing. Repeating it changes nothing. It needs a test key.",
  params: idParams,
  body: simulateSchema,
  responses: { 200: documentResponse("The document.") },
  errors: {
    400: invalid("Send what the recipient does."),
    403: { codes: ["forbidden"], description: "The key is a live key." },
    404: UNKNOWN,
    409: CONFLICT("Or `conflict`: the recipient has already done something else.", "conflict"),
    410: ERASED,
  },
  example: {
    params: { id: ID },
    body: { as: "accepted" },
    response: { ...DOCUMENT, recipient: { ...DOCUMENT.recipient, status: "accepted" } },
  },
} satisfies Operation;

/** The operations for issuers. `withKeyResponses` adds what all of them have in common. */
export const ISSUING_OPERATIONS: readonly Operation[] = [
  readIssuer,
  issueDocument,
  checkNewDocument,
  listDocuments,
  readDocument,
  downloadDocument,
  replaceDocument,
  withdrawDocument,
  resendDocument,
  simulateRecipient,
];
