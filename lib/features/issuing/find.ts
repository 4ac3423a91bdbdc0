/**
 * The search of administrators for issued documents.
 *
 * @module
 */
import { normaliseEmail } from "../../base/email.ts";
import { areSearchable, beginningOf, haveWords, tokenOf, wordsOf } from "../../base/words.ts";
import type { RowPosition, TimeKey } from "../../platform/listing/pages.ts";
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

/** The search of an administrator among the documents of an issuer. */
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

interface FindOptions extends ListedOptions {
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
  ): Promise<Pick<ListedPage, "page" | "cut">>;
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

  /**
   * Reads what is found by an issuer's own id, which can equal anybody's name, and what is found by words of a
   * name. Whole words are looked up before beginnings, which find more.
   */
  async function byText(
    scope: TermScope,
    mode: DocumentMode,
    text: string,
    read: (index: readonly string[], words?: readonly string[]) => Promise<ListedPage>,
    limit: number,
  ): Promise<ListedPage> {
    const indexOf = (term: string) => [BY_TERM, scope, mode, term];
    const words = wordsOf(text);
    // The longest word is probably the rarest one.
    const [word] = words.toSorted((a, b) => b.length - a.length);
    const terms = areSearchable(words) ? [tokenOf(word), beginningOf(word)] : [];
    const indexes = terms.flatMap((term) => term === null ? [] : [indexOf(term)]);
    const [byId, ...firsts] = await Promise.all([
      read(indexOf(externalIdTerm(text.trim()))),
      ...indexes.map((prefix) => Array.fromAsync(kv.list({ prefix }, { limit: 1 }))),
    ]);
    const byWord = indexes[firsts.findIndex((rows) => rows.length > 0)];
    return joinPages([byId, ...byWord === undefined ? [] : [await read(byWord, words)]], limit);
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
      return await byText(`issuer:${issuer}`, mode, text, read, limit);
    },
    async inOrganisation({ organisation, issuers }, text, limit) {
      const numbered = await byNumber(text);
      if (numbered?.document.organisation === organisation) return { ...NONE, page: [numbered] };
      const read = (index: readonly string[], words: readonly string[] = []) =>
        readListed(options, index, {
          range: {},
          limit,
          matches: ({ document }) => haveWords([document.named ?? ""], words),
        });
      if (text.includes("@")) {
        const known = await issuers();
        const found = await Promise.all(
          known.map((id) => findRecipient({ id, test: false }, text)),
        );
        const pages = await Promise.all(
          found.flatMap((recipient) => recipient ? [read([BY_RECIPIENT, recipient.id])] : []),
        );
        return joinPages(pages, limit);
      }
      const mode = modeOf({});
      return await byText(`organisation:${organisation}`, mode, text, read, limit);
    },
  };
}

/** Joins pages of the newest documents of several indexes. The next page begins where the first of them is cut. */
function joinPages(pages: readonly ListedPage[], limit: number): ListedPage {
  const ends = pages.flatMap(({ next }) => next === null ? [] : [next]).sort(newestFirst);
  const all = new Map(pages.flatMap(({ page }) => page).map((each) => [each.document.id, each]));
  const sorted = [...all.values()].sort((a, b) => newestFirst(keyOf(a), keyOf(b)))
    .filter((each) => ends.length === 0 || newestFirst(keyOf(each), ends[0]) <= 0);
  const page = sorted.slice(0, limit);
  const next = sorted.length > limit ? keyOf(page[limit - 1]) : ends[0] ?? null;
  return { page, next, cut: page.length < limit && pages.some(({ cut }) => cut) };
}

const keyOf = ({ document }: Listed): TimeKey => [document.created_at, document.id];

/** Compares keys as the indexes do, backwards. */
const newestFirst = ([a, idA]: TimeKey, [b, idB]: TimeKey): number =>
  a !== b ? (a < b ? 1 : -1) : idA < idB ? 1 : idA > idB ? -1 : 0;
