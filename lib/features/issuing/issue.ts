import { fail, type Failure } from "../../base/result.ts";
import type { Secrets } from "../../base/secrets.ts";
import { isoAfter } from "../../platform/kv/mod.ts";
import type { Mailer, QueuedMail } from "../../platform/mail/mod.ts";
import {
  byKey,
  type DocumentRow,
  type Documents,
  type NewContent,
  type Place,
} from "../documents/mod.ts";
import type { IssuerRow } from "../issuers/mod.ts";
import { readCurrentRecord } from "../records/mod.ts";
import { readAccepted } from "./followed.ts";
import { countIssued, MAX_ISSUED, TOO_MANY } from "./issued_limit.ts";
import { readMailbox } from "./mailbox.ts";
import type { AddRecipientMail } from "./mails.ts";
import {
  changeRecipient,
  findRecipient,
  fingerprintsOf,
  newRecipient,
  type Recipient,
  recipientAt,
  recipients,
  WAITING_MS,
  withMail,
} from "./recipients.ts";

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

export interface IssueOptions {
  kv: Deno.Kv;
  secrets: Secrets;
  mailer: Mailer;
  documents: Pick<Documents, "addFor" | "idsOfRecipient">;
}

/** Adds to the commit that issues a document. It runs again if the commit fails. */
export type AddToIssue = (
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

export type Issued =
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

/**
 * Creates the function that issues documents. It reads only what the same issuer has caused, so neither its
 * result nor its timing shows whether an address has records elsewhere.
 */
export function createIssue(
  { kv, secrets, mailer, documents, addMail }: IssueOptions & { addMail: AddRecipientMail },
): Issue {
  const countOf = async (id: string) => (await documents.idsOfRecipient(id)).length;
  return async (
    caller,
    about,
    content,
    { id, mail, addToCommit },
  ) => {
    const { issuer, test } = caller;
    const { recipient: person } = about;
    const address = { issuer: issuer.id, test, email: person.email };
    const fingerprints = await fingerprintsOf({ secrets }, address);
    let to: Recipient | undefined;
    let mails: QueuedMail[] = [];

    const place: Place = async (commit, now) => {
      const [{ key: index, entry }, mailbox] = await Promise.all([
        findRecipient({ kv, secrets }, address),
        readMailbox({ kv, secrets }, address, now),
      ]);
      const before = entry === null ? null : recipientAt(entry.value!, now);
      if (mailbox.refused && before?.state !== "accepted") return REFUSED;
      const isNew = before === null || before.state === "lapsed" || before.state === "refused";
      // Somebody who has accepted at another address of the mailbox is the same person.
      const same = isNew && !test && mailbox.accepted !== null
        ? await readAccepted(kv, mailbox.accepted)
        : null;
      if (same !== null) commit.check(same);
      const acceptance = same?.value ?? before;
      const accepted = acceptance?.state === "accepted" && !test;
      const found = accepted ? await placeOf({ kv, documents }, commit, acceptance) : null;
      if (found !== null && !found.ok) return found;
      if (before?.state === "waiting" && await countOf(before.id) >= MAX_ISSUED) return TOO_MANY;
      const mailed = test || mail === "later" ? null : withMail(before ?? { mailed_at: [] }, now);
      if (isNew) {
        // The row of a wait or refusal that has ended stays, but the address leads to a new one.
        if (entry !== null) {
          changeRecipient(commit, entry!, { mac: null, mailbox: null });
        }
        to = {
          ...newRecipient({ ...address, ...fingerprints, name: person.name }, now),
          ...found !== null && { state: "accepted", record: found.record, due_at: null },
          mailed_at: mailed ?? [],
        };
        recipients.set(commit.check(index), to);
      } else {
        const waits = before.state === "waiting";
        to = changeRecipient(commit, entry!, {
          ...waits && !test && { due_at: isoAfter(now, WAITING_MS) },
          ...mailed !== null && { mailed_at: mailed },
        });
      }
      return {
        ok: true,
        // The holder does not see a document that can still be taken back.
        record: mail === "now" ? found?.record ?? null : null,
        recipient: to.id,
        async addToCommit(commit, document) {
          mails = mailed === null
            ? []
            : [await addMail(commit, document, to as Recipient & { email: string }, now)];
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

/** The failure of what would mail somebody who has said that they are not the recipient. */
export const REFUSED = fail("recipient_refused", {
  message: "The owner of this address has said that it is not the recipient’s. Ask the recipient " +
    "for another address.",
});

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

const CLOSED =
  "The recipient is deleting their record. A document can be issued to this address once that is " +
  "done, which takes a week.";

/** Returns the record of a recipient, and checks in the commit that it can get one more document. */
async function placeOf(
  options: Pick<IssueOptions, "kv" | "documents">,
  commit: Deno.AtomicOperation,
  { record: hash, issuer }: Recipient,
): Promise<{ ok: true; record: string } | Failure> {
  const record = await readCurrentRecord(options.kv, hash!);
  if (record === null || record.row.deletion_at) {
    return fail("recipient_unavailable", { message: CLOSED });
  }
  if (await countIssued(options, record.hash, issuer) >= MAX_ISSUED) return TOO_MANY;
  commit.check(record.contact, record.entry);
  return { ok: true, record: record.hash };
}
