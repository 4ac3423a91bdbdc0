/** The messages that confirm an action in the inbox: where they are shown, and how to undo it. */
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { plural, SECOND_MS } from "../../lib/base/time.ts";
import type { OrganisationKey } from "../../lib/platform/surfaces/mod.ts";
import { sentHash } from "../../lib/features/chain/mod.ts";
import {
  type Inbox,
  type InboxAction,
  inboxList,
  type InboxQuery,
  type OpenEnquiry,
} from "../../lib/features/inbox/mod.ts";
import { enquiryPath, type Neighbours } from "../../lib/features/inbox/paths.ts";
import {
  type ConsoleAction,
  type ConsoleResult,
  shownResult,
} from "../../lib/features/console/results.ts";

/** The page that shows the result of an action, with what `withConsoleResult` adds to it. */
export interface ResultPage {
  href: string;
  done: ConsoleResult;
  of?: string;
}

/**
 * Returns the page that shows the result of an action: the enquiry's, or, after it was closed, that of
 * the next one in its list.
 */
export function resultPage(
  hash: string,
  act: InboxAction["act"],
  query: InboxQuery,
  { next, previous }: Neighbours,
): ResultPage {
  if (act !== "close") {
    return { href: enquiryPath(hash, query), done: act === "reopen" ? "reopen_enquiry" : act };
  }
  const shown = next ?? previous;
  const href = shown === null
    ? inboxList.href(query, { after: query.after })
    : enquiryPath(shown.hash, query);
  return { href, done: act, of: hash };
}

/** A result with the path that "Undo" posts to. */
export interface InboxResult {
  result: ShownResult;
  action: string;
}

/** Returns the result of an action on an enquiry; null if it is not true any longer. */
export async function inboxResult(
  inbox: Pick<Inbox, "read">,
  { organisation, hash: shown, url, now }: {
    organisation: OrganisationKey;
    /** The enquiry of the page; absent on the list. */
    hash?: string;
    url: URL;
    now: number;
  },
  asked: ConsoleAction | null,
): Promise<InboxResult | null> {
  if (asked === null) return null;
  if (asked.done === "reply") {
    if (shown === undefined) return null;
    const enquiry = await inbox.read(organisation, shown);
    return shownOn(enquiryPath(shown), enquiry && replyResult(asked, enquiry, now));
  }
  if (asked.done !== "close") return shownOn(url.pathname, shownResult(asked));
  const hash = sentHash.safeParse(asked.of);
  const closed = hash.success ? await inbox.read(organisation, hash.data) : null;
  if (closed === null) return null;
  const { row: { record, revision, state }, record: { contact } } = closed;
  const { name } = contact.value.record;
  const undo = { fields: { act: "reopen", revision: String(revision) } };
  return shownOn(enquiryPath(record), shownResult(asked, { name, states: [state], undo }));
}

/** Returns the result of a reply, with "Undo" until its mail is sent; null if it was taken back. */
function replyResult(
  asked: ConsoleAction,
  { entries, record: { contact } }: OpenEnquiry,
  now: number,
): ShownResult | null {
  const reply = entries.find(({ id }) => id === asked.of);
  if (reply?.change !== "replied") return null;
  const { email } = contact.value.record;
  const late = `The email is on its way to ${email}`;
  const leftMs = Date.parse(reply.held.until) - now;
  if (leftMs <= 0) return shownResult(asked, { text: `${late}.` });
  const left = plural(Math.ceil(leftMs / SECOND_MS), "second");
  return shownResult(asked, {
    text: `It is sent to ${email} in ${left}.`,
    late: `${late}, so it can no longer be taken back.`,
    undo: { fields: { act: "unsend", key: reply.id }, leftMs },
  });
}

const shownOn = (action: string, result: ShownResult | null): InboxResult | null =>
  result && { result, action };
