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
import { FilterBar } from "../FilterBar.tsx";
import { Pager } from "../Pager.tsx";
import { StateNote } from "../StateNote.tsx";
import { Time } from "../Time.tsx";
import { EnquiryList } from "./EnquiryList.tsx";
import { InboxKeys } from "./InboxKeys.tsx";

export interface InboxPageProps {
  filters: InboxFilters;
  counts: InboxCounts;
  /** Null if the filters are invalid. */
  found: (Found & { owners: ReadonlySet<string> }) | null;
  /** The result of the action that led here. */
  result: InboxResult | null;
  now: string;
  /** The address of the operator who reads the page. */
  reader: string;
}

/** The enquiries of the console's organisation, for full administrators. */
export function InboxPage({ filters, counts, found, result, now, reader }: InboxPageProps) {
  const { query } = filters;
  return (
    <>
      <h1>Inbox</h1>
      <Views counts={counts} query={query} />
      {result !== null && <ActionResult {...result} />}
      <FilterBar
        list={inboxList}
        filters={filters}
        class="inbox-filters"
        tabs={["state", "owner"]}
      />
      {found === null || query === null
        ? (
          <StateNote kind="error" title="Some filters are invalid">
            <p>Correct the marked fields, then apply the filters.</p>
          </StateNote>
        )
        : (
          <section id="list" aria-labelledby="list-title">
            <h2 id="list-title" class="visually-hidden">Enquiries</h2>
            {found.items.length === 0
              ? found.readTo === null && <Empty query={query} />
              : <EnquiryList {...{ query, reader, now, ...found }} />}
            {found.readTo !== null && (
              <p class="note" role="status">
                Few enquiries match. The list has been searched as far as{" "}
                <Time at={found.readTo} day />.
              </p>
            )}
            <More query={query} found={found} />
          </section>
        )}
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
            <Hidden fields={inboxList.fields({ ...query, state: "all" })} />
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

/** Links to the next page. For a search it is a form, because the URL must not contain the words. */
function More({ query, found: { next } }: { query: InboxQuery; found: Found }) {
  const older = query.sort === "oldest" ? "Newer" : "Older";
  if (query.text !== undefined) {
    return next === null ? null : (
      <form method="post" action={inboxList.path}>
        <Hidden fields={inboxList.fields(query)} />
        <input type="hidden" name="after" value={`${next.at}~${next.id}`} />
        <button type="submit" class="button small">Search further →</button>
      </form>
    );
  }
  return (
    <Pager
      label="Pages of enquiries"
      previous={query.after === undefined ? null : { href: inboxList.href(query), text: "First" }}
      next={next && { href: inboxList.href(query, { after: next }), text: older }}
    />
  );
}

const Hidden = ({ fields }: { fields: Record<string, string> }) => (
  <>
    {Object.entries(fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
  </>
);
