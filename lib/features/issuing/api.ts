import { fail, type Failure } from "../../base/result.ts";
import {
  byKey,
  type DocumentForm,
  type DocumentRow,
  type Documents,
  type DocumentVersion,
  ERASED,
  expiryProblem,
  fileOf,
  latestVersion,
  type NewContent,
  parseDocumentId,
  type StagedFile,
  type StoredFile,
} from "../documents/mod.ts";
import type { IssuerServices } from "../issuers/feature.ts";
import type { IssuerRow } from "../issuers/mod.ts";
import type { CertificateContents, TemplateFields } from "./certificate_content.ts";
import {
  documentCheck,
  type DocumentList,
  type DocumentObject,
  documentObject,
} from "./document_object.ts";
import type { SaveResponse } from "./idempotency.ts";
import type { IssueInput, ListInput, VersionInput } from "./input.ts";
import { storedDocument } from "./issue.ts";
import { createList, type ListOptions } from "./list.ts";
import type { Issuing } from "./mod.ts";
import type { Posts, Take } from "./post.ts";
import { type Recipient, recipientAt, recipients } from "./recipients.ts";
import { fileProblem, INVALID } from "./request.ts";

/** The issuer that calls the API with one of its keys. */
export interface Caller {
  issuer: IssuerRow;
  test: boolean;
  key: { id: string };
}

/** A file of a document, to be sent. */
interface OwnFile {
  version: DocumentVersion;
  file: StoredFile;
  form: DocumentForm;
}

/**
 * The operations of issuers on their documents through the API. Documents of other issuers, of the other mode, and
 * those that administrators have added are not found. Ids may be in any form that `parseDocumentId` reads.
 *
 * The methods that change something return what takes the input of a POST, see {@link Posts}.
 */
export interface IssuerApi {
  posts: Posts;
  issue(caller: Caller): Take<IssueInput>;
  /** Makes the document, and says what its copy leaves out, without issuing it. */
  check(caller: Caller): Take<IssueInput>;
  read(caller: Caller, id: string): Promise<{ ok: true; document: DocumentObject } | Failure>;
  list(caller: Caller, input: ListInput): Promise<{ ok: true; list: DocumentList } | Failure>;
  /** Finds a file. Fails with `erased` once it is erased, because nobody has accepted the document. */
  file(
    caller: Caller,
    id: string,
    which: { form: DocumentForm; version?: number },
  ): Promise<{ ok: true } & OwnFile | Failure>;
  /** Fails with `recipient_refused` or `recipient_forgotten` once nobody can accept the document. */
  addVersion(caller: Caller, id: string): Promise<Take<VersionInput> | Failure>;
  withdraw(caller: Caller, id: string): Promise<Take<{ reason: string }> | Failure>;
  resend(caller: Caller, id: string): Promise<Take | Failure>;
  simulate(
    caller: Caller,
    id: string,
  ): Promise<Take<{ as: "accepted" | "refused" | "lapsed" }> | Failure>;
}

interface IssuerApiOptions extends Omit<ListOptions, "recipientsOf" | "findRecipient"> {
  posts: Posts;
  documents: Documents;
  issuing: Issuing;
  certificates: CertificateContents;
  issuerKeys: Pick<IssuerServices["issuerKeys"], "addWithdrawal">;
  /** Returns the domain of an issuer as the API shows it. */
  domainOf: (issuer: IssuerRow) => { name: string; verified: boolean } | null;
  trustUrl: (path: string) => string;
}

export function createIssuerApi(options: IssuerApiOptions): IssuerApi {
  const { kv, clock, documents, issuing, certificates, issuerKeys, domainOf, trustUrl } = options;
  const list = createList({ ...options, ...issuing });

  const describe = ({ issuer }: Caller, document: DocumentRow, recipient: Recipient | null) =>
    documentObject(document, recipient, { domain: domainOf(issuer), trustUrl, now: clock() });

  /** Returns a document of the caller. */
  async function find(
    { issuer, test }: Caller,
    text: string,
  ): Promise<{ ok: true; document: DocumentRow } | Failure> {
    const id = parseDocumentId(text);
    const document = id === null ? null : await documents.read(id);
    const isOwn = document !== null && document.issuer.id === issuer.id &&
      (document.test ?? false) === test && document.recipient !== undefined;
    return isOwn ? { ok: true, document } : fail("not_found", { message: NOT_FOUND });
  }

  /** Adds the response about a changed document to the commit of the change. */
  async function saveAbout(
    caller: Caller,
    save: SaveResponse,
    commit: Deno.AtomicOperation,
    document: DocumentRow,
  ): Promise<{ body: DocumentObject } | Failure> {
    const entry = await recipients.get(kv, document.recipient!);
    const body = describe(caller, document, entry.value && recipientAt(entry.value, clock()));
    commit.check(entry); // somebody who is forgotten meanwhile must not be in the saved response
    return await save(commit, { status: 200, body }, entry.value?.id) ?? { body };
  }

  /** Returns what makes the content of a document: a file or a template. */
  async function contentFor(
    { issuer, test }: Caller,
    about: Parameters<CertificateContents["check"]>[1],
    template: { fields: TemplateFields } | undefined,
    file: StagedFile | null,
  ): Promise<(() => Promise<{ ok: true; name: string; content: NewContent } | Failure>) | Failure> {
    if ((template === undefined) === (file === null)) {
      return fail("invalid_request", { message: INVALID, issues: { file: ONE_CONTENT } });
    }
    if (template === undefined) {
      return () => Promise.resolve({ ok: true, name: file!.name, content: file! });
    }
    const checked = await certificates.check(issuer, about, template.fields);
    if (!checked.ok) return checked;
    return async () => {
      const made = await certificates.make(issuer, checked.fields, test);
      if (!made.ok) return made;
      return { ok: true, name: CERTIFICATE_NAME, content: made.bytes };
    };
  }

  /** Returns what makes a new document. */
  async function newDocument(caller: Caller, input: IssueInput, file: StagedFile | null) {
    const { template, ...about } = input;
    const expires_on = expiryProblem(about.expires_at, clock());
    return expires_on === undefined
      ? await contentFor(caller, about, template, file)
      : fail("invalid_request", { message: INVALID, issues: { expires_on } });
  }

  return {
    posts: options.posts,
    check: (caller) => async (input, file) => {
      const make = await newDocument(caller, input, file);
      if (typeof make !== "function") return make;
      return async () => {
        const made = await make();
        if (!made.ok) return made;
        const { template: _, ...about } = input;
        const stored = storedDocument(caller, { ...about, file_name: made.name });
        const checked = await documents.check(stored, made.content);
        return checked.ok ? { status: 200, body: documentCheck(checked) } : fileProblem(checked);
      };
    },
    issue: (caller) => async (input, file) => {
      const make = await newDocument(caller, input, file);
      if (typeof make !== "function") return make;
      const { template: _, ...about } = input;
      return async (save) => {
        const made = await make();
        if (!made.ok) return made;
        let body: DocumentObject | undefined;
        const issued = await issuing.issue(
          caller,
          { ...about, file_name: made.name },
          made.content,
          {
            mail: "now",
            addToCommit: async (commit, document, recipient) => {
              body = describe(caller, document, recipient);
              return await save(commit, { status: 201, body }, recipient.id);
            },
          },
        );
        return issued.ok ? { status: 201, body } : fileProblem(issued);
      };
    },
    async read(caller, id) {
      const found = await find(caller, id);
      if (!found.ok) return found;
      const { document } = found;
      const recipient = (await issuing.recipientsOf([document])).get(document.recipient!) ?? null;
      return { ok: true, document: describe(caller, document, recipient) };
    },
    async list(caller, input) {
      const listed = await list(caller, input);
      if (!listed.ok) return listed;
      const data = listed.page.map(({ document, recipient }) =>
        describe(caller, document, recipient)
      );
      return { ok: true, list: { object: "list", data, next_cursor: listed.next } };
    },
    async file(caller, id, { form, version: number }) {
      const found = await find(caller, id);
      if (!found.ok) return found;
      const { document } = found;
      const version = number === undefined
        ? latestVersion(document)
        : document.versions.find((each) => each.number === number);
      if (version === undefined) return fail("not_found", { message: NO_VERSION });
      if (document.erased_at !== undefined) return fail("erased", { message: ERASED });
      return { ok: true, version, ...fileOf(version, form) };
    },
    async addVersion(caller, id) {
      const found = await find(caller, id);
      if (!found.ok) return found;
      const { document } = found;
      const recipient = (await issuing.recipientsOf([document])).get(document.recipient!);
      if (recipient?.state === "refused") return fail("recipient_refused", { message: REFUSED });
      if (recipient === undefined || recipient.name === null) {
        return fail("recipient_forgotten", { message: FORGOTTEN });
      }
      const about = { ...document, recipient: { name: recipient.name } };
      return async ({ template, ...changes }, file) => {
        const make = await contentFor(caller, about, template, file);
        if (typeof make !== "function") return make;
        return async (save) => {
          const made = await make();
          if (!made.ok) return made;
          let saved: Awaited<ReturnType<typeof saveAbout>> | undefined;
          const version = { ...changes, file_name: made.name, by: byKey(caller.key.id) };
          const added = await documents.addVersion(
            document.id,
            version,
            made.content,
            async (commit, changed) => {
              saved = await saveAbout(caller, save, commit, changed);
              return "ok" in saved ? saved : undefined;
            },
          );
          return responseTo(added.ok ? added : fileProblem(added), saved);
        };
      };
    },
    async withdraw(caller, id) {
      const found = await find(caller, id);
      if (!found.ok) return found;
      return ({ reason }) => async (save) => {
        let saved: Awaited<ReturnType<typeof saveAbout>> | undefined;
        let count = () => Promise.resolve();
        const by = byKey(caller.key.id);
        const withdrawn = await documents.withdraw(
          found.document.id,
          reason,
          by,
          async (commit, changed) => {
            count = issuerKeys.addWithdrawal(commit, caller, changed.id);
            saved = await saveAbout(caller, save, commit, changed);
            return "ok" in saved ? saved : undefined;
          },
        );
        if (withdrawn.ok) await count();
        return responseTo(withdrawn, saved);
      };
    },
    async resend(caller, id) {
      const found = await find(caller, id);
      if (!found.ok) return found;
      const { document } = found;
      return () => async (save) => {
        let body: DocumentObject | undefined;
        const sent = await issuing.resend(document, async (commit, recipient) => {
          body = describe(caller, document, recipient);
          return await save(commit, { status: 200, body }, recipient.id);
        });
        if (!sent.ok) return sent;
        const recipient = (await issuing.recipientsOf([document])).get(document.recipient!);
        return { status: 200, body: body ?? describe(caller, document, recipient ?? null) };
      };
    },
    async simulate(caller, id) {
      if (!caller.test) return fail("forbidden", { message: TESTS_ONLY });
      const found = await find(caller, id);
      if (!found.ok) return found;
      const { document } = found;
      return ({ as }) => async (save) => {
        let body: DocumentObject | undefined;
        const done = await issuing.simulate(document, as, async (commit, recipient) => {
          body = describe(caller, document, recipient);
          return await save(commit, { status: 200, body }, recipient.id);
        });
        return done.ok ? { status: 200, body } : done;
      };
    },
  };
}

const responseTo = (
  result: { ok: true } | Failure,
  saved: { body: DocumentObject } | Failure | undefined,
) => result.ok ? { status: 200, body: (saved as { body: DocumentObject }).body } : result;

const CERTIFICATE_NAME = "certificate.pdf";
const ONE_CONTENT = "Send a file or a template.";
const NOT_FOUND = "There is no such document.";
const NO_VERSION = "The document has no such version.";
const REFUSED =
  "The owner of the address has said that it is not the recipient’s, so the document cannot be replaced.";
const FORGOTTEN =
  "The recipient’s name and address are erased, so the document cannot be replaced.";
const TESTS_ONLY = "Only a test key can simulate what a recipient does.";
