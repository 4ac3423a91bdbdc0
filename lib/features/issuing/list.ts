/**
 * The list of an issuer's documents for the API.
 *
 * @module
 */
import { decodeBase64Url, encodeBase64Url, utf8 } from "../../base/encoding.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { Secrets } from "../../base/secrets.ts";
import { parsePosition } from "../../platform/listing/filters.ts";
import type { TimeKey } from "../../platform/listing/pages.ts";
import {
  BY_EXTERNAL_ID,
  BY_RECIPIENT,
  latestVersion,
  liveStatusOf,
  modeOf,
} from "../documents/mod.ts";
import { DOCUMENTS_BY_ISSUER } from "../issuers/mod.ts";
import type { ListInput } from "./input.ts";
import { type Listed, type ListedOptions, readListed } from "./listed.ts";
import type { Recipient } from "./recipients.ts";

/** The sender of the request: an issuer sees only its own documents, and those of the mode of its key. */
interface Lister {
  issuer: { id: string };
  test: boolean;
}

export interface ListOptions extends ListedOptions {
  clock: () => number;
  secrets: Secrets;
  findRecipient(issuer: { id: string; test: boolean }, email: string): Promise<Recipient | null>;
}

export type ListResult =
  | { ok: true; page: Listed[]; next: string | null }
  | Failure<"invalid_request">;

/** Lists the documents that an issuer has issued through the API, the newest first. */
export function createList(options: ListOptions) {
  const { clock, secrets } = options;

  /** Returns what a cursor is bound to, besides its position. */
  const boundTo = ({ issuer, test }: Lister, { cursor: _, limit: __, ...filters }: ListInput) =>
    JSON.stringify([issuer.id, modeOf({ test }), Object.entries(filters).sort()]);

  async function cursorOf(bound: string, [at, id]: TimeKey): Promise<string> {
    const position = `${at}~${id}`;
    const signature = await secrets.sign("list-cursor", `${bound}\n${position}`);
    return encodeBase64Url(utf8(`${position} ${signature}`));
  }

  async function positionOf(bound: string, cursor: string): Promise<TimeKey | null> {
    if (!/^[\w-]+$/.test(cursor) || cursor.length % 4 === 1) return null;
    const text = new TextDecoder().decode(decodeBase64Url(cursor));
    const [position, signature = ""] = text.split(" ");
    const row = parsePosition(position);
    if (row === undefined) return null;
    const isOurs = await secrets.verify("list-cursor", `${bound}\n${position}`, signature);
    return isOurs ? [row.at, row.id] : null;
  }

  /** Returns the index that lists the fewest documents, all of the lister. */
  const indexOf = (
    { issuer, test }: Lister,
    { external_id }: ListInput,
    recipient: Recipient | null,
  ): string[] =>
    external_id !== undefined
      ? [BY_EXTERNAL_ID, issuer.id, modeOf({ test }), external_id]
      : recipient !== null
      ? [BY_RECIPIENT, recipient.id]
      : [DOCUMENTS_BY_ISSUER, issuer.id, modeOf({ test })];

  return async (lister: Lister, input: ListInput): Promise<ListResult> => {
    const { cursor, limit, email, status, recipient_status } = input;
    const bound = boundTo(lister, input);
    const after = cursor === undefined ? undefined : await positionOf(bound, cursor);
    if (after === null) return fail("invalid_request", { issues: { cursor: NO_CURSOR } });
    const who = { id: lister.issuer.id, test: lister.test };
    const recipient = email === undefined ? null : await options.findRecipient(who, email);
    if (email !== undefined && recipient === null) return { ok: true, page: [], next: null };

    const { page, next } = await readListed(options, indexOf(lister, input, recipient), {
      range: { ...rangeOf(input), after },
      limit,
      matches: ({ document, recipient: to }): boolean =>
        to !== null && (recipient === null || to.id === recipient.id) &&
        (recipient_status === undefined || to.state === recipient_status) &&
        (status === undefined ||
          status === liveStatusOf(document, latestVersion(document), clock())),
    });
    return { ok: true, page, next: next && await cursorOf(bound, next) };
  };
}

/** Returns the range of times, without the two themselves. */
const rangeOf = ({ created_after, created_before }: ListInput) => ({
  ...created_after !== undefined && { from: `${created_after}\0` },
  // A range ends before its end, which `readByTime` completes with the `Z` of the time.
  ...created_before !== undefined && { to: created_before.slice(0, -1) },
});

const NO_CURSOR = "Send the next_cursor of a list with the same filters and key.";
