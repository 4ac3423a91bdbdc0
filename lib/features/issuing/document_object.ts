/**
 * The object of a document, as issuers see it.
 *
 * @module
 */
import { z } from "zod";
import {
  currentVersion,
  documentPath,
  type DocumentRow,
  type DocumentVersion,
  formatDocumentId,
  latestVersion,
  LEFT_OUT_NAMES,
  liveStatusOf,
} from "../documents/mod.ts";
import { RECIPIENT_STATES, STATUSES } from "./input.ts";
import type { Recipient } from "./recipients.ts";

const time = z.iso.datetime();
const day = z.iso.date();

/** The copy with codes on every page. */
const copyFields = {
  left_out: z.array(z.enum(LEFT_OUT_NAMES)).meta({
    description: "What the copy leaves out of the PDF, such as `attachments` or `scripts`.",
  }),
  compared_pages: z.int().nullable().meta({
    description:
      "The pages of the copy whose texts and drawings were compared with the PDF, which are fewer " +
      "than all if it is long. Null if there is no copy.",
  }),
};

const copyOf = ({ issued, pages }: Pick<DocumentVersion, "issued" | "pages">) => ({
  left_out: issued?.left_out ?? [],
  compared_pages: issued && (issued.compared ?? pages),
});

/** The API's response if a document is only checked. */
export const documentCheckSchema = z.object({
  object: z.literal("document_check"),
  pages: z.int().nullable().meta({ description: "Null unless the file is a PDF." }),
  has_copy: z.boolean().meta({
    description: "False for signed PDFs and other files, which are issued unchanged.",
  }),
  ...copyFields,
}).meta({ id: "DocumentCheck" });

/** Returns the object of a file that was only checked. */
export const documentCheck = (
  checked: Pick<DocumentVersion, "issued" | "pages">,
): z.infer<typeof documentCheckSchema> => ({
  object: "document_check",
  pages: checked.pages,
  has_copy: checked.issued !== null,
  ...copyOf(checked),
});

/** A document as the API returns it. */
export const documentObjectSchema = z.object({
  object: z.literal("document"),
  id: z.string(),
  test: z.boolean().meta({ description: "True if it was made with a test key." }),
  external_id: z.string().nullable(),
  title: z.string(),
  type: z.string(),
  date: day.nullable().meta({ description: "The day that it states." }),
  public: z.boolean(),
  status: z.enum(STATUSES),
  withdrawn_reason: z.string().nullable(),
  expires_on: day.nullable().meta({ description: "The last day on which it is valid." }),
  created_at: time,
  url: z.string().meta({ description: "Where anybody can check it." }),
  recipient: z.object({
    name: z.string().nullable(),
    email: z.string().meta({ format: "email" }).nullable(),
    status: z.enum(RECIPIENT_STATES),
  }).meta({
    description:
      "As you sent them. Name and address are null once they are erased: when the recipient " +
      "has refused the document, or has not accepted it in 90 days.",
  }),
  issuer: z.object({
    name: z.string(),
    domain: z.string().nullable(),
    domain_verified: z.boolean(),
  }),
  versions: z.array(z.object({
    number: z.int(),
    at: time,
    state: z.enum(["current", "replaced", "withdrawn"]),
    original_sha256: z.string(),
    issued_sha256: z.string().nullable().meta({
      description: "The hash of the copy with codes on every page; null if there is none.",
    }),
    pages: z.int().nullable(),
    ...copyFields,
  })),
  mail: z.enum(["waiting", "queued", "none"]).meta({
    description:
      "`queued`: the recipient was emailed since the document was issued; `waiting`: they will be, " +
      "or were emailed too often today; `none`: for tests, and if the address is erased.",
  }),
}).meta({ id: "Document" });

/** A page of documents, as the API returns it. */
export const documentListSchema = z.object({
  object: z.literal("list"),
  data: z.array(documentObjectSchema),
  next_cursor: z.string().nullable().meta({ description: "Null on the last page." }),
});
export type DocumentList = z.infer<typeof documentListSchema>;

export type DocumentObject = z.infer<typeof documentObjectSchema>;

/** The facts about the issuer of a document. */
export interface ObjectContext {
  domain: { name: string; verified: boolean } | null;
  /** Returns the full URL of a path of the trust surface. */
  trustUrl: (path: string) => string;
  now: number;
}

/**
 * Returns the id of a document as programs see it: `7k3m-9q2x-b4tw-0zra`. It is not the number as people read it,
 * because issuers have stored the ids, and compare them as texts; every spelling is accepted.
 */
export const apiDocumentId = (id: string): string => formatDocumentId(id).toLowerCase();

/** Returns where anybody can check a document. */
export const documentUrl = (
  trustUrl: ObjectContext["trustUrl"],
  { id }: Pick<DocumentRow, "id">,
): string => trustUrl(documentPath(id));

/** Returns a document of the API. This is the only place that decides what issuers see of it. */
export function documentObject(
  document: DocumentRow,
  recipient: Recipient | null,
  { domain, trustUrl, now }: ObjectContext,
): DocumentObject {
  const latest = latestVersion(document);
  const status = liveStatusOf(document, latest, now);
  return {
    object: "document",
    id: apiDocumentId(document.id),
    test: document.test ?? false,
    external_id: document.external_id ?? null,
    title: document.title,
    type: document.kind,
    date: document.date ?? null,
    public: document.public,
    status: status === "replaced" ? "current" : status,
    withdrawn_reason: currentVersion(document) === null ? latest.withdrawn_reason ?? null : null,
    expires_on: document.expires_at?.slice(0, 10) ?? null,
    created_at: document.created_at,
    url: documentUrl(trustUrl, document),
    recipient: {
      name: (recipient?.name && document.named) ?? recipient?.name ?? null,
      email: recipient?.email ?? null,
      status: recipient?.state ?? "lapsed",
    },
    issuer: {
      name: document.issuer.name,
      domain: domain?.name ?? null,
      domain_verified: domain?.verified ?? false,
    },
    versions: document.versions.map(({ number, at, state, original, issued, pages }) => ({
      number,
      at,
      state,
      original_sha256: original.sha256,
      issued_sha256: issued?.sha256 ?? null,
      pages,
      ...copyOf({ issued, pages }),
    })),
    mail: mailOf(document, recipient),
  };
}

function mailOf(document: DocumentRow, recipient: Recipient | null): DocumentObject["mail"] {
  if (document.test || recipient === null || recipient.email === null) return "none";
  return recipient.mailed_at.some((at) => at >= document.created_at) ? "queued" : "waiting";
}
