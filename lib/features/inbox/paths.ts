import type { InboxItem } from "./list.ts";
import { inboxList, type InboxQuery } from "./filters.ts";

/** Returns the query of the list beside an enquiry: the default one if the URL's is invalid. */
export const queryOf = ({ searchParams }: URL): InboxQuery =>
  inboxList.read(searchParams).query ?? inboxList.read(new URLSearchParams()).query!;

/** Returns the path of an enquiry's page, beside the list that a query selects. */
export const enquiryPath = (hash: string, query: Partial<InboxQuery> = {}, below = ""): string =>
  enquiryPathsOf(query)(hash, below);

/** Like {@link enquiryPath}, for several enquiries beside one list. */
export function enquiryPathsOf(
  query: Partial<InboxQuery>,
): (hash: string, below?: string) => string {
  const list = inboxList.href(query, { after: query.after });
  return (hash, below = "") => list.replace(inboxList.path, `${inboxList.path}/${hash}${below}`);
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
