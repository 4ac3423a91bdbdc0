import { normaliseEmail } from "../../base/email.ts";
import { areSearchable, beginningOf, haveWords, tokenOf, wordsOf } from "../../base/words.ts";
import type { RowPosition } from "../../platform/listing/pages.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import {
  BY_RECIPIENT,
  BY_TERM,
  type DocumentMode,
  documentRows,
  externalIdTerm,
  findDocumentId,
  latestVersion,
  liveStatusOf,
  modeOf,
  type TermScope,
} from "../documents/mod.ts";
import { DOCUMENTS_BY_ISSUER } from "../issuers/mod.ts";
import { type Listed, type ListedOptions, type ListedPage, readListed } from "./listed.ts";
import type { Recipient } from "./recipients.ts";

/** The states of issued documents for administrators, of the document and its recipient together. */
export const ISSUED_STATES = {
  waiting: "Waiting",
  accepted: "Accepted",
  refused: "Refused",
  lapsed: "Not accepted in time",
  withdrawn: "Withdrawn",
  expired: "Expired",
} as const;

export type IssuedState = keyof typeof ISSUED_STATES;

/** Returns the state of a document for administrators. */
export function issuedStateOf({ document, recipient }: Listed, now: number): IssuedState {
  const status = liveStatusOf(document, latestVersion(document), now);
  if (status === "withdrawn" || status === "expired") return status;
  if (document.record !== null || recipient === null) return "accepted";
  // Until the mails of a batch are sent, nobody has got its documents.
  return recipient.state === "accepted" && !document.test ? "waiting" : recipient.state;
}

/** What an administrator looks for among the documents of an issuer. */
export interface IssuedQuery {
  /** A number, an issuer's own id, a whole address, or words of a name. */
  text?: string;
  mode: DocumentMode;
  state?: IssuedState;
  /** First and last day, `YYYY-MM-DD` in UTC. */
  from?: string;
  to?: string;
  after?: RowPosition;
}

export interface FindOptions extends ListedOptions {
  clock: () => number;
  findRecipient(issuer: { id: string; test: boolean }, email: string): Promise<Recipient | null>;
}

/** Finds documents for administrators. */
export interface FindDocuments {
  /** Lists the documents of an issuer, the newest first. */
  ofIssuer(issuer: string, query: IssuedQuery, limit: number): Promise<ListedPage>;
  /** Returns the newest documents that an organisation has registered for some issuers. */
  inOrganisation(
    where: { organisation: OrganisationKey; issuers: () => Promise<readonly string[]> },
    text: string,
    limit: number,
  ): Promise<Listed[]>;
}

const NONE: ListedPage = { page: [], next: null, cut: false };

/** Returns why nothing can be found by a text; null if something can. */
export function findIssue(text: string): string | null {
  if (findDocumentId(text) !== null) return null;
  if (text.includes("@")) return normaliseEmail(text) === null ? "Enter the whole address." : null;
  return text.trim().length < 2 ? "Enter at least two characters." : null;
}

export function createFindDocuments(options: FindOptions): FindDocuments {
  const { kv, clock, recipientsOf, findRecipient } = options;

  async function byNumber(text: string): Promise<Listed | null> {
    const id = findDocumentId(text);
    const { value: document } = id === null ? { value: null } : await documentRows.get(kv, id);
    if (document === null) return null;
    const people = await recipientsOf([document]);
    return { document, recipient: people.get(document.recipient ?? "") ?? null };
  }

  /** Returns the first index that has rows, of those under which a text may be found. */
  async function indexOf(scope: TermScope, mode: DocumentMode, text: string) {
    const words = wordsOf(text);
    // The longest word is probably the rarest one.
    const [word] = words.toSorted((a, b) => b.length - a.length);
    const byWord = areSearchable(words) ? [tokenOf(word), beginningOf(word)] : [];
    const terms: { term: string; byWords: boolean }[] = [
      { term: externalIdTerm(text.trim()), byWords: false },
      ...byWord.flatMap((term) => term === null ? [] : [{ term, byWords: true }]),
    ];
    const indexes = terms.map(({ term }) => [BY_TERM, scope, mode, term]);
    const firsts = await Promise.all(
      indexes.map((prefix) => Array.fromAsync(kv.list({ prefix }, { limit: 1 }))),
    );
    const found = firsts.findIndex((rows) => rows.length > 0);
    return found < 0 ? null : { index: indexes[found], words: terms[found].byWords ? words : [] };
  }

  return {
    async ofIssuer(issuer, { text, mode, state, from, to, after }, limit) {
      const matches = (listed: Listed) =>
        state === undefined || issuedStateOf(listed, clock()) === state;
      const range = { from, to, after: after && [after.at, after.id] as const };
      const read = (index: readonly string[], words: readonly string[] = []) =>
        readListed(options, index, {
          range,
          limit,
          matches: (listed) => matches(listed) && haveWords([listed.document.named ?? ""], words),
        });
      if (text === undefined) return await read([DOCUMENTS_BY_ISSUER, issuer, mode]);
      const numbered = await byNumber(text);
      if (numbered?.document.issuer.id === issuer) return { ...NONE, page: [numbered] };
      if (text.includes("@")) {
        const recipient = await findRecipient({ id: issuer, test: mode === "test" }, text);
        return recipient === null ? NONE : await read([BY_RECIPIENT, recipient.id]);
      }
      const found = await indexOf(`issuer:${issuer}`, mode, text);
      return found === null ? NONE : await read(found.index, found.words);
    },
    async inOrganisation({ organisation, issuers }, text, limit) {
      const numbered = await byNumber(text);
      if (numbered?.document.organisation === organisation) return [numbered];
      const read = async (index: readonly string[], words: readonly string[] = []) =>
        (await readListed(options, index, {
          range: {},
          limit,
          matches: ({ document }) => haveWords([document.named ?? ""], words),
        })).page;
      if (text.includes("@")) {
        const known = await issuers();
        const found = await Promise.all(
          known.map((id) => findRecipient({ id, test: false }, text)),
        );
        const pages = await Promise.all(
          found.flatMap((recipient) => recipient ? [read([BY_RECIPIENT, recipient.id])] : []),
        );
        return pages.flat().sort((a, b) => newest(a) < newest(b) ? 1 : -1).slice(0, limit);
      }
      const found = await indexOf(`organisation:${organisation}`, modeOf({}), text);
      return found === null ? [] : await read(found.index, found.words);
    },
  };
}

const newest = ({ document }: Listed): string => document.created_at;
