/**
 * The page of the enquiries of the console’s organisation.
 *
 * @module
 */
import type { InboxResult } from "./results.ts";
import {
  type InboxCounts,
  type InboxFilters,
  inboxList,
  type InboxPage as Found,
  type InboxQuery,
  MOST_COUNTED,
  type View,
  VIEWS,
} from "../../lib/features/inbox/mod.ts";
import { formatCount } from "../../lib/base/time.ts";
import { ActionResult } from "../ActionResult.tsx";
import { ListPage, type ListPages } from "../ListPage.tsx";
import { HiddenFields } from "../Pager.tsx";
import { StateNote } from "../StateNote.tsx";
import { EnquiryList } from "./EnquiryList.tsx";
import { InboxKeys } from "./InboxKeys.tsx";

export interface InboxPageProps {
  filters: InboxFilters;
  counts: InboxCounts;
  /** Null if the filters are invalid. */
  found: Found | null;
  /** The operators who can own an enquiry. */
  owners: readonly string[];
  /** The result of the action that led here. */
  result: InboxResult | null;
  now: string;
  /** The address of the operator who reads the page. */
  reader: string;
}

/** The enquiries of the console's organisation, for full administrators. */
export function InboxPage({ filters, counts, found, owners, result, now, reader }: InboxPageProps) {
  const { query } = filters;
  return (
    <>
      <h1>Inbox</h1>
      <Views counts={counts} query={query} />
      {result !== null && <ActionResult {...result} />}
      <ListPage
        list={inboxList}
        filters={filters}
        class="inbox-filters"
        tabs={["state", "owner"]}
        page={found && query && {
          title: "Enquiries",
          empty: <Empty query={query} />,
          items: found.items.length === 0
            ? null
            : <EnquiryList items={found.items} {...{ query, owners, reader, now }} />,
          searchedTo: found.readTo === null ? null : { at: found.readTo, what: "enquiries" },
          pages: pagesOf(query, found),
        }}
      />
      <p class="note">
        New: nobody has taken it or written a note. Open: taken, or with a note, but without a
        reply. Waiting: new and open. Answered: a reply was sent.
      </p>
      <InboxKeys />
    </>
  );
}

/** Links to the lists, with the numbers of those that are not closed. */
function Views({ counts, query }: { counts: InboxCounts; query: InboxQuery | null }) {
  const shown: Partial<Record<View, number>> = {
    waiting: counts.new + counts.open,
    new: counts.new,
    open: counts.open,
    answered: counts.answered,
  };
  const most = MOST_COUNTED - 1;
  const mine = query?.owner === "mine";
  return (
    <nav class="wrap tabs below-4" aria-label="Lists of enquiries">
      {(Object.entries(VIEWS) as [View, string][]).map(([view, text]) => {
        const { owner } = query ?? {};
        const count = shown[view];
        return (
          <a
            key={view}
            class="muted"
            href={inboxList.href({ state: view, owner })}
            aria-current={query?.state === view && query.text === undefined ? "page" : "false"}
          >
            {text}
            {count !== undefined && (
              <>
                {" "}
                <span class="count digits">
                  {count > most ? `${formatCount(most)}+` : formatCount(count)}
                </span>
              </>
            )}
          </a>
        );
      })}
      <a
        class="muted inbox-mine"
        href={inboxList.href({ state: query?.state, owner: mine ? undefined : "mine" })}
        aria-current={mine ? "true" : "false"}
      >
        {mine ? "Mine only" : "Mine"}
      </a>
    </nav>
  );
}

function Empty({ query }: { query: InboxQuery }) {
  const { text, state } = query;
  if (text !== undefined) {
    return (
      <StateNote kind="empty" title="Nothing found">
        <p>Try part of the name, organisation, email address or message.</p>
        {state !== "all" && (
          <form method="post" action={inboxList.path}>
            <HiddenFields fields={inboxList.fields({ ...query, state: "all" })} />
            <button type="submit" class="button small">Search all enquiries</button>
          </form>
        )}
      </StateNote>
    );
  }
  const { state: _, sort: __, ...filters } = query;
  if (inboxList.isFiltered(filters)) {
    return (
      <StateNote kind="empty" title="No enquiries match">
        <p>
          <a href={inboxList.href({ state })}>Clear the filters.</a>
        </p>
      </StateNote>
    );
  }
  return (
    <StateNote kind="empty" title={state === "waiting" ? "Nothing waits" : "No enquiries here"}>
      <p>
        {state === "waiting"
          ? "Each enquiry from the contact form appears here until it is answered or closed."
          : <a href={inboxList.path}>Show those that wait.</a>}
      </p>
    </StateNote>
  );
}

/** Returns the ways to the first and the next page. A search can only be continued. */
function pagesOf(query: InboxQuery, { next }: Found): ListPages {
  const isSearch = query.text !== undefined;
  const older = query.sort === "oldest" ? "Newer" : "Older";
  return {
    label: "Pages of enquiries",
    previous: query.after === undefined || isSearch ? null : { to: {}, text: "First" },
    next: next && { to: { after: next }, text: isSearch ? "Search further" : older },
  };
}
