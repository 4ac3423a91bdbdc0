/** The workbench's inboxes of mail, messages, pushes and webhooks, and the versions by which open pages update. */
import type { PhoneInbox } from "../codes/providers/mod.ts";
import { eTag } from "../../platform/http/etag.ts";
import type { DevOutbox, DevOutboxMail } from "../../platform/mail/mod.ts";
import type { PushInbox } from "../push/mod.ts";
import type { Webhooks } from "../webhooks/mod.ts";
import { readTour, type TourDeps, type TourStep } from "./tour.ts";

/** The pages that update themselves while they are open. */
export const LIVE = ["tour", "mail", "phone", "push", "webhooks"] as const;
export type Live = typeof LIVE[number];

interface InboxDeps extends TourDeps {
  devOutbox: DevOutbox | null;
  phone: { inbox: PhoneInbox | null };
  pushInbox: PushInbox | null;
  webhooks: Pick<Webhooks, "recent">;
}

/** The most deliveries to webhooks that the workbench shows. */
export const MOST_DELIVERIES = 50;

/**
 * Returns a short text that changes when the page would show something else, so that an open page
 * can find out cheaply whether to load itself again. Null if the page is not there.
 */
export async function versionOf(live: Live, deps: InboxDeps): Promise<string | null> {
  const content = await contentOf(live, deps);
  return content === null ? null : await eTag(JSON.stringify(content));
}

async function contentOf(
  live: Live,
  { devOutbox, phone, pushInbox, webhooks, ...tour }: InboxDeps,
) {
  switch (live) {
    case "tour":
      return [
        (await readTour(tour)).map(({ done }) => done),
        await countInboxes({ devOutbox, phone, pushInbox, webhooks }),
      ];
    case "mail":
      return devOutbox && devOutbox.list().map(({ at, to, subject }) => [at, to, subject]);
    case "phone":
      return phone.inbox && await phone.inbox.view();
    case "push":
      return pushInbox;
    case "webhooks":
      return (await webhooks.recent(MOST_DELIVERIES)).map(({ delivery }) => [
        delivery.id,
        delivery.endpoint,
        delivery.state,
        delivery.attempts,
      ]);
  }
}

/** The inboxes of the stand-ins, and how many messages each has. */
export interface InboxCounts {
  mail: number | null;
  phone: number | null;
  push: number | null;
  webhooks: number | null;
}

/** Returns the number of messages in each inbox; null if it is not running. */
async function countInboxes(
  { devOutbox, phone, pushInbox, webhooks }: Omit<InboxDeps, keyof TourDeps>,
): Promise<InboxCounts> {
  const calls = await phone.inbox?.view();
  return {
    mail: devOutbox && devOutbox.list().length,
    phone: calls?.entries.length ?? null,
    push: pushInbox && pushInbox.pushes.length,
    webhooks: (await webhooks.recent(MOST_DELIVERIES)).length,
  };
}

/** The counts that every page of the inboxes shows. */
export interface InboxFrame {
  counts: InboxCounts;
  /** The version of what the page shows. */
  version: string;
}

/** Returns the counts of all inboxes, and the version of what a page shows. */
export async function inboxFrame(live: Live, deps: InboxDeps): Promise<InboxFrame> {
  // The version first: a message that arrives in between only causes another update.
  const version = await versionOf(live, deps) ?? "";
  return { version, counts: await countInboxes(deps) };
}

/** Everything on the start page that is read from the store and the stand-ins. */
export interface WorkbenchView extends InboxFrame {
  tour: TourStep[];
}

/** Reads everything that the start page shows. */
export async function readWorkbench(deps: InboxDeps): Promise<WorkbenchView> {
  const [frame, tour] = await Promise.all([inboxFrame("tour", deps), readTour(deps)]);
  return { ...frame, tour };
}

/** The longest search that is used. */
const MAX_QUERY = 200;
const MAX_WORDS = 10;

/** Returns the mails that contain every word in their subject, addresses or text. */
export function searchMails(mails: readonly DevOutboxMail[], query: string): DevOutboxMail[] {
  const words = query.slice(0, MAX_QUERY).toLowerCase().split(/\s+/).filter(Boolean)
    .slice(0, MAX_WORDS);
  return mails.filter(({ subject, to, from, text }) => {
    const searched = [subject, to, from, text].join("\n").toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
