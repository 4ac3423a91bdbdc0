/**
 * The operations of issuers on their documents, from the fields of a request to its response.
 *
 * @module
 */
import { fail, type Failure } from "../../base/result.ts";
import type { UnitOfWork } from "../../platform/kv/mod.ts";
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
import type { ApiResponse, Call, Caller, IssuerRow } from "../issuers/mod.ts";
import type { CertificateContents, TemplateFields } from "./certificate_content.ts";
import {
  documentCheck,
  type DocumentList,
  type DocumentObject,
  documentObject,
} from "./document_object.ts";
import type { IssueInput, ListInput, VersionInput } from "./input.ts";
import { createList, type ListOptions } from "./list.ts";
import type { Issuing } from "./mod.ts";
import type { Posts } from "./http/post.ts";
import { type Recipient, recipientAt, recipients } from "./recipients.ts";
import { fileProblem, INVALID } from "./problems.ts";

/** A request with the file of a document. */
type DocumentCall<Input = unknown> = Pick<
  Call<Input, StagedFile>,
  "caller" | "file" | "input" | "require"
>;

/** A file of a document, to be sent. */
export interface OwnFile {
  version: DocumentVersion;
  file: StoredFile;
  form: DocumentForm;
}

/**
 * The operations of issuers on their documents through the API. Documents of other issuers, of the other mode, and
 * those that administrators have added are not found. Ids may be in any form that `parseDocumentId` reads.
 *
 * The methods that change something take a POST, see {@link Posts}.
 */
export interface IssuerApi {
  posts: Posts;
  issue(call: Call<IssueInput, StagedFile>): Promise<ApiResponse | Failure>;
  /** Makes the document, and says what its copy leaves out, without issuing it. */
  check(call: Call<IssueInput, StagedFile>): Promise<ApiResponse | Failure>;
  read(caller: Caller, id: string): Promise<{ ok: true; document: DocumentObject } | Failure>;
  list(caller: Caller, input: ListInput): Promise<{ ok: true; list: DocumentList } | Failure>;
  /** Finds a file. Fails with `erased` once it is erased, because nobody has accepted the document. */
  file(
    caller: Caller,
    id: string,
    which: { form: DocumentForm; version?: number },
  ): Promise<{ ok: true } & OwnFile | Failure>;
  /** Fails with `recipient_refused` or `recipient_forgotten` once nobody can accept the document. */
  addVersion(
    call: Call<VersionInput, StagedFile>,
    id: string,
  ): Promise<ApiResponse | Failure>;
  withdraw(call: Call<{ reason: string }>, id: string): Promise<ApiResponse | Failure>;
  resend(call: Call, id: string): Promise<ApiResponse | Failure>;
  simulate(
    call: Call<{ as: "accepted" | "refused" | "lapsed" }>,
    id: string,
  ): Promise<ApiResponse | Failure>;
}

export interface IssuerApiOptions extends Omit<ListOptions, "recipientsOf" | "findRecipient"> {
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

  const responseFor = (
    { caller }: Pick<Call, "caller">,
    document: DocumentRow,
    recipient: Recipient,
    status = 200,
  ): ApiResponse => ({
    status,
    body: describe(caller, document, recipient),
    recipient: recipient.id,
  });

  /** Returns the response about a changed document, which the unit of the change saves. */
  async function responseAbout(
    unit: UnitOfWork,
    caller: Caller,
    document: DocumentRow,
  ): Promise<ApiResponse> {
    const entry = await recipients.get(kv, document.recipient!);
    const recipient = entry.value && recipientAt(entry.value, unit.now);
    unit.commit.check(entry); // somebody who is forgotten meanwhile must not be in the saved response
    return { status: 200, body: describe(caller, document, recipient), recipient: recipient?.id };
  }

  /** Returns the content of a document: the file, or the certificate that is made from the template. */
  async function contentOf(
    { caller: { issuer, test }, file, require }: DocumentCall,
    about: Parameters<CertificateContents["check"]>[1],
    template: { fields: TemplateFields } | undefined,
  ): Promise<{ ok: true; name: string; content: NewContent } | Failure> {
    if ((template === undefined) === (file === null)) {
      return require(fail("invalid_request", { message: INVALID, issues: { file: ONE_CONTENT } }));
    }
    if (template === undefined) return { ok: true, name: file!.name, content: file! };
    const { fields } = require(await certificates.check(issuer, about, template.fields));
    const made = await certificates.make(issuer, fields, test);
    return made.ok ? { ok: true, name: CERTIFICATE_NAME, content: made.bytes } : made;
  }

  /** Checks a new document, and stores its files. */
  async function draft(call: DocumentCall<IssueInput>) {
    const { template, ...about } = call.input();
    const expires_on = expiryProblem(about.expires_at, clock());
    if (expires_on !== undefined) {
      call.require(fail("invalid_request", { message: INVALID, issues: { expires_on } }));
    }
    const made = await contentOf(call, about, template);
    if (!made.ok) return made;
    const document = { ...about, file_name: made.name };
    const drafted = await issuing.draft(call.caller, document, made.content);
    return drafted.ok ? drafted : fileProblem(drafted);
  }

  return {
    posts: options.posts,
    async check(call) {
      const drafted = await draft(call);
      if (!drafted.ok) return drafted;
      await using checked = drafted.draft;
      return { status: 200, body: documentCheck(checked.version) };
    },
    async issue(call) {
      const drafted = await draft(call);
      if (!drafted.ok) return drafted;
      await using added = drafted.draft;
      return await call.commit(async (unit) => {
        const issued = await issuing.write.issue(unit, added, "now");
        return issued.ok ? responseFor(call, issued.document, issued.recipient, 201) : issued;
      });
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
    async addVersion(call, id) {
      const { caller } = call;
      const { document } = call.require(await find(caller, id));
      const recipient = (await issuing.recipientsOf([document])).get(document.recipient!);
      if (recipient?.state === "refused") {
        call.require(fail("recipient_refused", { message: REFUSED }));
      }
      if (recipient === undefined || recipient.name === null) {
        return call.require(fail("recipient_forgotten", { message: FORGOTTEN }));
      }
      const { template, ...changes } = call.input();
      const about = { ...document, recipient: { name: recipient.name } };
      const made = await contentOf(call, about, template);
      if (!made.ok) return made;
      const version = { ...changes, file_name: made.name, by: byKey(caller.key.id) };
      const drafted = await documents.draftVersion(document.id, version, made.content);
      if (!drafted.ok) return fileProblem(drafted);
      await using added = drafted.draft;
      return await call.commit(async (unit) => {
        const replaced = await documents.write.replace(unit, document.id, added);
        return replaced.ok ? await responseAbout(unit, caller, replaced.document) : replaced;
      });
    },
    async withdraw(call, id) {
      const { caller } = call;
      const { document } = call.require(await find(caller, id));
      const { reason } = call.input();
      return await call.commit(async (unit) => {
        const about = { reason, by: byKey(caller.key.id) };
        const withdrawn = await documents.write.withdraw(unit, document.id, about);
        if (!withdrawn.ok) return withdrawn;
        issuerKeys.addWithdrawal(unit, caller, document.id);
        return await responseAbout(unit, caller, withdrawn.document);
      });
    },
    async resend(call, id) {
      const { document } = call.require(await find(call.caller, id));
      call.input();
      return await call.commit(async (unit) => {
        const sent = await issuing.write.resend(unit, document);
        return sent.ok ? responseFor(call, document, sent.recipient) : sent;
      });
    },
    async simulate(call, id) {
      if (!call.caller.test) call.require(fail("forbidden", { message: TESTS_ONLY }));
      const { document } = call.require(await find(call.caller, id));
      const { as } = call.input();
      return await call.commit(async (unit) => {
        const done = await issuing.write.simulate(unit, document, as);
        return done.ok ? responseFor(call, document, done.recipient) : done;
      });
    },
  };
}

const CERTIFICATE_NAME = "certificate.pdf";
const ONE_CONTENT = "Send a file or a template.";
const NOT_FOUND = "There is no such document.";
const NO_VERSION = "The document has no such version.";
const REFUSED =
  "The owner of the address has said that it is not the recipient’s, so the document cannot be replaced.";
const FORGOTTEN =
  "The recipient’s name and address are erased, so the document cannot be replaced.";
const TESTS_ONLY = "Only a test key can simulate what a recipient does.";
