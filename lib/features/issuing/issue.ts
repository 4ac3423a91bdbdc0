/**
 * The issuing of a document: its files first, then one unit with its recipient and their mail.
 *
 * @module
 */
import type { Failure } from "../../base/result.ts";
import { inUnit, type UnitOfWork } from "../../platform/kv/mod.ts";
import {
  byKey,
  type DocumentDraft,
  type DocumentRow,
  type Documents,
  type NewContent,
} from "../documents/mod.ts";
import type { IssuerRow } from "../issuers/mod.ts";
import type { AddRecipientMail } from "./mails.ts";
import type { AddRecipient } from "./add_recipient.ts";
import type { Address, Recipient } from "./recipients.ts";

/** The issuer that acts, through one of its API keys or a batch. */
export type IssuingCaller =
  & { issuer: Pick<IssuerRow, "id" | "organisation">; test: boolean }
  & ({ key: { id: string } } | { /** As versions of documents store it. */ by: string });

/** A document to issue. The fields are validated. */
export interface NewIssuedDocument {
  recipient: { name: string; email: string };
  title: string;
  type: string;
  date?: string;
  external_id?: string;
  /** The last instant at which it is valid, ISO 8601 in UTC. Default: null, so it does not expire. */
  expires_at?: string | null;
  /** True if everyone may see the title. */
  public?: boolean;
  file_name: string;
  /** Default: as for administrators, by the kind of file. */
  guessable?: boolean;
}

/** A document whose files are stored, with the person whom it is for. */
export interface IssueDraft extends DocumentDraft {
  to: { address: Address; name: string };
}

/** `later`: another unit adds the mail. Tests are never mailed. */
export type MailTime = "now" | "later";

export type Issued =
  | { ok: true; document: DocumentRow; recipient: Recipient }
  | Failure;

/**
 * Issues documents. Each waits for its recipient, unless they have accepted one of the issuer before, at this address
 * or another one of the same mailbox.
 */
export interface Issue {
  /** Stores the files of a document. Its end deletes them, unless a unit that issues it was committed. */
  draft(
    caller: IssuingCaller,
    document: NewIssuedDocument,
    content: NewContent,
  ): Promise<{ ok: true; draft: IssueDraft } | Failure>;
  /** Adds a drafted document to a unit. */
  write(unit: UnitOfWork, draft: IssueDraft, mail: MailTime): Promise<Issued>;
  /** Does both, as a unit of its own. */
  issue(
    caller: IssuingCaller,
    document: NewIssuedDocument,
    content: NewContent,
    settings: { mail: MailTime },
  ): Promise<Issued>;
}

/** Creates the functions that issue documents. */
export function createIssue(
  options: {
    kv: Deno.Kv;
    clock: () => number;
    documents: Pick<Documents, "draft" | "write">;
    addMail: AddRecipientMail;
    addRecipient: AddRecipient;
  },
): Issue {
  const { documents, addMail, addRecipient } = options;

  const draft: Issue["draft"] = async (caller, about, content) => {
    const drafted = await documents.draft(storedDocument(caller, about), content);
    if (!drafted.ok) return drafted;
    const { name, email } = about.recipient;
    const address = { issuer: caller.issuer.id, test: caller.test, email };
    return { ok: true, draft: { ...drafted.draft, to: { address, name } } };
  };

  const write: Issue["write"] = async (unit, draft, mail) => {
    const to = await addRecipient(unit, { ...draft.to, mails: mail === "now" });
    if (!to.ok) return to;
    const { recipient, mailed } = to;
    // The holder does not see a document that can still be taken back.
    const record = mail === "now" ? to.record : null;
    const added = await documents.write.add(unit, draft, { record, recipient: recipient.id });
    if (!added.ok) return added;
    const { document } = added;
    if (mailed) await addMail(unit, document, recipient as Recipient & { email: string });
    return { ok: true, document, recipient };
  };

  return {
    draft,
    write,
    async issue(caller, about, content, { mail }) {
      const drafted = await draft(caller, about, content);
      if (!drafted.ok) return drafted;
      await using issued = drafted.draft;
      return await inUnit(options, (unit) => write(unit, issued, mail));
    },
  };
}

/** Returns a document as it is stored. */
export const storedDocument = (
  { issuer, test, ...caller }: IssuingCaller,
  { recipient, type, public: isPublic = false, ...about }: NewIssuedDocument,
): Parameters<Documents["draft"]>[0] => ({
  ...about,
  ...test && { test },
  kind: type,
  named: recipient.name,
  public: isPublic,
  organisation: issuer.organisation,
  issuer: issuer.id,
  by: "by" in caller ? caller.by : byKey(caller.key.id),
});
