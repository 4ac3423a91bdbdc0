/** The dashboard's lists of waiting work and its numbers of registrations. */
import type { RecordOverview, Records } from "../records/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { ACCESS_REQUESTED } from "../documents/mod.ts";
import { MOST_COUNTED as MOST_ALERTS } from "../alerts/mod.ts";
import { type InboxCounts, inboxList, MOST_COUNTED as MOST_ENQUIRIES } from "../inbox/mod.ts";
import { monthsOf } from "../bank/mod.ts";

/** Work that waits for an administrator, as a number with a page that lists it. */
export interface Waiting {
  text: string;
  count: number;
  /** The largest number that is counted. */
  most: number;
  href: string;
}

/** @param kinds the number of open alerts by kind */
export function waitingOf(inbox: InboxCounts, kinds: Readonly<Record<string, number>>): Waiting[] {
  const { [ACCESS_REQUESTED]: requests = 0, ...others } = kinds;
  const alerts = Object.values(others).reduce((sum, count) => sum + count, 0);
  return [
    { text: "New enquiries", count: inbox.new, most: MOST_ENQUIRIES, href: inboxHref("new") },
    { text: "Open enquiries", count: inbox.open, most: MOST_ENQUIRIES, href: inboxHref("open") },
    {
      text: "Access requests",
      count: requests,
      most: MOST_ALERTS,
      href: `/console/alerts?kind=${ACCESS_REQUESTED}`,
    },
    { text: "Other alerts", count: alerts, most: MOST_ALERTS, href: "/console/alerts" },
  ];
}

const inboxHref = (state: "new" | "open") => inboxList.href({ state });

/** Numbers of registrations, for both layers. */
export interface RecordCounts {
  month: number;
  /** The number in the same days of the month before. */
  previous: number;
  total: number;
}

/** @param read the organisation's overview, if this request has read it already */
export async function readCounts(
  { records, clock }: { records: Records; clock: () => number },
  organisation: OrganisationKey,
  read: RecordOverview | null,
): Promise<RecordCounts> {
  const { current, previous } = monthsOf(clock());
  const { months, totals } = read ?? await records.overview(organisation);
  const [thisMonth, monthBefore] = await months([current.last, previous.last]);
  return { month: thisMonth.until, previous: monthBefore.until, total: totals.registrations };
}
