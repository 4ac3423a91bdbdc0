/**
 * The list of the records of the console’s organisation.
 *
 * @module
 */
import type { RecordTotals } from "../../lib/features/contact/mod.ts";
import {
  type RecordList,
  recordList,
  type RecordQuery,
  type RecordsFilters,
} from "../../lib/features/records/mod.ts";
import { plural } from "../../lib/base/time.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { ActionResult } from "../ActionResult.tsx";
import { type Listed, ListPage, tableOf } from "../ListPage.tsx";
import { StateNote } from "../StateNote.tsx";
import { RECORD_COLUMNS } from "./record_columns.tsx";
import { RecordViews } from "./RecordStatsPage.tsx";

export interface RecordListPageProps {
  filters: RecordsFilters;
  /** Null if the filters are invalid. */
  list: RecordList | null;
  totals: RecordTotals;
  /** The result of the deletion that led here. */
  result: ShownResult | null;
}

/** The records of the console's organisation, for full administrators. */
export function RecordListPage({ filters, list, totals, result }: RecordListPageProps) {
  const { query } = filters;
  return (
    <>
      <h1>Records</h1>
      <p class="lead">
        {plural(totals.registrations, "registration")} with this organisation.
      </p>
      <RecordViews current="list" />
      {result !== null && <ActionResult result={result} action="/console/records" />}
      <ListPage
        list={recordList}
        filters={filters}
        class="record-filters"
        page={list && query && listed(query, list, totals.registrations > 0)}
      />
    </>
  );
}

function listed(query: RecordQuery, list: RecordList, any: boolean): Listed {
  const { records, readTo, previous, next } = list;
  const isFirst = query.after === undefined && query.before === undefined;
  const order = query.sort === "oldest" ? "oldest first" : "newest first";
  const names = directions(query, list);
  const isEmpty = records.length === 0 && readTo === null;
  return {
    title: "Records",
    empty: query.text !== undefined && isFirst
      ? <NothingFound />
      : <NoRecords query={query} any={any} />,
    shown: `${plural(records.length, "record")} on this page, ${order}`,
    exports: true,
    items: tableOf({
      class: "dense-table stacked record-table",
      caption: `Records, ${order}`,
      columns: RECORD_COLUMNS,
      shown: ["name", "enquiry_type", "email", "level", "registered_at", "hash"],
      items: records,
      keyOf: ({ hash }) => hash,
      view: null,
    }),
    searchedTo: readTo === null ? null : { at: readTo, what: "records" },
    pages: isEmpty ? null : {
      label: "Pages of records",
      previous: previous && { to: { before: previous }, text: names.previous },
      next: next && { to: { after: next }, text: names.next },
    },
  };
}

/** The names of the links to the previous and the next page. */
function directions({ sort, before }: RecordQuery, { readTo }: RecordList) {
  const [previous, next] = sort === "oldest" ? ["Older", "Newer"] : ["Newer", "Older"];
  if (readTo === null) return { previous, next };
  return before === undefined
    ? { previous, next: "Continue searching" }
    : { previous: "Continue searching", next };
}

function NoRecords({ query, any }: { query: RecordQuery; any: boolean }) {
  if (!any) {
    return (
      <StateNote kind="empty" title="No records yet">
        <p>A record appears here when somebody sends the contact form of this organisation.</p>
      </StateNote>
    );
  }
  return (
    <StateNote
      kind="empty"
      title={recordList.isFiltered(query) ? "No records match" : "Nothing on this page"}
    >
      <p>
        <a href="/console/records">
          {recordList.isFiltered(query)
            ? "Clear the filters to see all records."
            : "Go to the newest records."}
        </a>
      </p>
    </StateNote>
  );
}

const NothingFound = () => (
  <StateNote kind="empty" title="Nothing found">
    <p>
      Enter a word of the name or organisation or its first three letters, the whole email address,
      a confirmed mobile number with its country code, or the first four or more digits of the hash.
      Filters also apply to the search.
    </p>
  </StateNote>
);
