import { type ShownResult, withResult } from "../../platform/http/action_result.ts";
import { RequestError } from "../../platform/http/errors.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { hashSchema } from "../chain/mod.ts";
import { type Inbox, type InboxItem, inboxList, type InboxQuery } from "../inbox/mod.ts";
import { CONSOLE_RESULTS, type ConsoleResult, consoleResultOf } from "./results.ts";

/**
 * Returns the hash in the path of an enquiry's page.
 *
 * @throws {RequestError} 404 if it is not a hash
 */
export function hashIn({ hash }: Record<string, string>): string {
  const checked = hashSchema.safeParse(hash);
  if (!checked.success) throw new RequestError(404);
  return checked.data;
}

/** Returns the query of the list beside an enquiry: the default one if the URL's is invalid. */
export const queryOf = ({ searchParams }: URL): InboxQuery =>
  inboxList.read(searchParams).query ?? inboxList.read(new URLSearchParams()).query!;

/** Returns the path of an enquiry's page, beside the list that a query selects. */
export function enquiryPath(hash: string, query: Partial<InboxQuery> = {}, below = ""): string {
  const list = inboxList.href(query, { after: query.after });
  return list.replace(inboxList.path, `${inboxList.path}/${hash}${below}`);
}

/** The enquiries before and after one in a list. */
export interface Neighbours {
  previous: InboxItem | null;
  next: InboxItem | null;
}

/** Returns the neighbours of an enquiry. The first one follows an enquiry that is not in the list. */
export function neighboursOf(items: readonly InboxItem[], hash: string): Neighbours {
  const at = items.findIndex((item) => item.hash === hash);
  return { previous: at < 1 ? null : items[at - 1], next: items[at + 1] ?? null };
}

/**
 * Returns the page that shows the result of an action: the enquiry's, or, after it was closed, that of
 * the next one in its list.
 */
export function resultPage(
  hash: string,
  act: "assign" | "note" | "close" | "reopen" | "reply",
  query: InboxQuery,
  { next, previous }: Neighbours,
): string {
  if (act === "reopen") return withResult(enquiryPath(hash, query), "reopen_enquiry");
  if (act !== "close") return withResult(enquiryPath(hash, query), act);
  const shown = next ?? previous;
  const path = shown === null
    ? inboxList.href(query, { after: query.after })
    : enquiryPath(shown.hash, query);
  return withResult(path, act, hash);
}

/** A result with the path that "Undo" posts to. */
export interface InboxResult {
  result: ShownResult;
  action: string;
}

/** Returns the result that the URL of a page asks for; null if it is not true (any longer). */
export async function inboxResult(
  inbox: Pick<Inbox, "read">,
  organisation: OrganisationKey,
  url: URL,
): Promise<InboxResult | null> {
  const wanted = consoleResultOf(url);
  if (wanted === null || !SHOWN.has(wanted.done)) return null;
  if (wanted.done !== "close") {
    return { result: { title: CONSOLE_RESULTS[wanted.done].title("") }, action: url.pathname };
  }
  const hash = hashSchema.safeParse(wanted.of);
  const closed = hash.success ? await inbox.read(organisation, hash.data) : null;
  if (closed?.row.state !== "closed") return null;
  const { row: { record, revision }, record: { contact } } = closed;
  const title = CONSOLE_RESULTS.close.title(contact.value.record.name);
  const fields = { act: "reopen", revision: String(revision) };
  return { result: { title, undo: { fields } }, action: enquiryPath(record) };
}

const SHOWN: ReadonlySet<ConsoleResult> = new Set([
  "assign",
  "note",
  "reply",
  "close",
  "reopen_enquiry",
]);
