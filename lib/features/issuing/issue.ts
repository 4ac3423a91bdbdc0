import type { Failure } from "../../base/result.ts";
import type { Mailer, QueuedMail } from "../../platform/mail/mod.ts";
import {
  byKey,
  type DocumentRow,
  type Documents,
  type NewContent,
  type Place,
} from "../documents/mod.ts";
import type { IssuerRow } from "../issuers/mod.ts";
import type { AddRecipientMail } from "./mails.ts";
import type { PlaceFor } from "./place.ts";
import type { Recipient } from "./recipients.ts";

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

/** Adds to the commit that issues a document. It runs again if the commit fails. */
type AddToIssue = (
  commit: Deno.AtomicOperation,
  document: DocumentRow,
  recipient: Recipient,
) => Promise<Failure | void>;

export interface IssueSettings {
  /** The id of the new document. Default: a random one. */
  id?: string;
  /** `later`: the caller adds the mail. Tests are never mailed. */
  mail: "now" | "later";
  addToCommit?: AddToIssue;
}

type Issued =
  | { ok: true; document: DocumentRow; recipient: Recipient }
  | Failure;

/**
 * Issues a document. It waits for its recipient, unless they have accepted one of the issuer before, at this address
 * or another one of the same mailbox.
 */
export type Issue = (
  caller: IssuingCaller,
  document: NewIssuedDocument,
  content: NewContent,
  settings: IssueSettings,
) => Promise<Issued>;

/** Creates the function that issues documents. */
export function createIssue(
  { mailer, documents, addMail, placeFor }: {
    mailer: Mailer;
    documents: Pick<Documents, "addFor">;
    addMail: AddRecipientMail;
    placeFor: PlaceFor;
  },
): Issue {
  return async (
    caller,
    about,
    content,
    { id, mail, addToCommit },
  ) => {
    const { issuer, test } = caller;
    const address = { issuer: issuer.id, test, email: about.recipient.email };
    let to: Recipient | undefined;
    let mails: QueuedMail[] = [];

    const place: Place = async (commit, now) => {
      const person = { address, name: about.recipient.name, mails: mail === "now" };
      const placed = await placeFor(commit, person, now);
      if (!placed.ok) return placed;
      to = placed.recipient;
      return {
        ok: true,
        // The holder does not see a document that can still be taken back.
        record: mail === "now" ? placed.record : null,
        recipient: to.id,
        async addToCommit(commit, document) {
          mails = placed.mailed
            ? [await addMail(commit, document, to as Recipient & { email: string }, now)]
            : [];
          return await addToCommit?.(commit, document, to!);
        },
      };
    };

    const added = await documents.addFor(
      { ...storedDocument(caller, about), ...id !== undefined && { id } },
      content,
      place,
    );
    if (!added.ok) return added;
    mailer.send(mails);
    return { ...added, recipient: to! };
  };
}

/** Returns a document as it is stored. */
export const storedDocument = (
  { issuer, test, ...caller }: IssuingCaller,
  { recipient, type, public: isPublic = false, ...about }: NewIssuedDocument,
): Parameters<Documents["addFor"]>[0] => ({
  ...about,
  ...test && { test },
  kind: type,
  named: recipient.name,
  public: isPublic,
  organisation: issuer.organisation,
  issuer: issuer.id,
  by: "by" in caller ? caller.by : byKey(caller.key.id),
});
