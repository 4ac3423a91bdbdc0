import type { ComponentChildren } from "preact";
import { stateOf } from "../../lib/features/records/export.ts";
import { maskEmail, type RecordTotals } from "../../lib/features/contact/mod.ts";
import {
  type RecordEntry,
  type RecordList,
  recordList,
  type RecordQuery,
  type RecordsFilters,
} from "../../lib/features/records/mod.ts";
import { plural } from "../../lib/base/time.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { ActionResult } from "../ActionResult.tsx";
import { FilterBar } from "../FilterBar.tsx";
import { HiddenFields, ListBar, Pager, PostedStep } from "../Pager.tsx";
import { StateNote } from "../StateNote.tsx";
import { Icon } from "../Icon.tsx";
import { RecordViews } from "./RecordStatsPage.tsx";
import { Time } from "../Time.tsx";

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
  return (
    <>
      <h1>Records</h1>
      <p class="lead">
        {plural(totals.registrations, "registration")} with this organisation.
      </p>
      <RecordViews current="list" />
      {result !== null && <ActionResult result={result} action="/console/records" />}
      <FilterBar list={recordList} filters={filters} class="record-filters" />
      {list === null || filters.query === null
        ? (
          <StateNote kind="error" title="Some filters are invalid">
            <p>Correct the marked fields, then apply the filters.</p>
          </StateNote>
        )
        : <Listed query={filters.query} list={list} any={totals.registrations > 0} />}
    </>
  );
}

function Listed({ query, list, any }: { query: RecordQuery; list: RecordList; any: boolean }) {
  const { records, readTo } = list;
  const isFirst = query.after === undefined && query.before === undefined;
  if (records.length === 0 && readTo === null) {
    return query.text !== undefined && isFirst
      ? <NothingFound />
      : <NoRecords query={query} any={any} />;
  }
  const order = query.sort === "oldest" ? "oldest first" : "newest first";
  return (
    <section id="list" aria-labelledby="list-title">
      <h2 id="list-title" class="visually-hidden">Records</h2>
      <Bar query={query}>{plural(records.length, "record")} on this page, {order}</Bar>
      {records.length > 0 && <Table records={records} caption={`Records, ${order}`} />}
      {readTo !== null && (
        <p class="note" role="status">
          Few records match. The list has been searched as far as <Time at={readTo} day />.
        </p>
      )}
      {query.text === undefined
        ? <Pages query={query} list={list} />
        : <SearchPages query={query} list={list} />}
    </section>
  );
}

/** The names of the links to the previous and the next page. */
function directions({ sort, before }: RecordQuery, { readTo }: RecordList) {
  const [previous, next] = sort === "oldest" ? ["Older", "Newer"] : ["Newer", "Older"];
  if (readTo === null) return { previous, next };
  return before === undefined
    ? { previous, next: "Continue searching" }
    : { previous: "Continue searching", next };
}

function Pages({ query, list }: { query: RecordQuery; list: RecordList }) {
  const { previous, next } = list;
  const names = directions(query, list);
  return (
    <Pager
      label="Pages of records"
      previous={previous === null ? null : {
        href: recordList.href(query, { before: previous }),
        text: names.previous,
      }}
      next={next === null ? null : {
        href: recordList.href(query, { after: next }),
        text: names.next,
      }}
    />
  );
}

/** The pages of a search. They are forms, because the URL must not contain the words. */
function SearchPages({ query, list }: { query: RecordQuery; list: RecordList }) {
  const { previous, next } = list;
  if (previous === null && next === null) return null;
  const names = directions(query, list);
  return (
    <nav class="pager middle gap-3" aria-label="Pages of records">
      {previous === null
        ? <span />
        : <Again query={query} page={{ before: previous }} text={`← ${names.previous}`} />}
      {next === null
        ? <span />
        : <Again query={query} page={{ after: next }} text={`${names.next} →`} />}
    </nav>
  );
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

/** Repeats the search for another page. */
const Again = ({ query, page, text }: {
  query: RecordQuery;
  page: { after?: string; before?: string };
  text: string;
}) => (
  <PostedStep
    action="/console/records#list"
    fields={{ ...recordList.fields(query), ...page }}
    text={text}
  />
);

/** The bar above the list. The download is a form, because the URL must not contain the words. */
const Bar = ({ query, children }: { query: RecordQuery; children: ComponentChildren }) => (
  <ListBar shown={children}>
    <form class="flush" method="post" action="/console/records">
      <HiddenFields fields={{ ...recordList.fields(query), format: "csv" }} />
      <button type="submit" class="button small">
        <Icon name="download" />
        Download all (CSV)
      </button>
    </form>
  </ListBar>
);

function Table({ records, caption }: { records: readonly RecordEntry[]; caption: string }) {
  return (
    <table class="dense-table stacked record-table">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col" class="name">Name and organisation</th>
          <th scope="col" class="type">Type</th>
          <th scope="col" class="email">Email</th>
          <th scope="col" class="level">Level</th>
          <th scope="col" class="when digits">Registered</th>
          <th scope="col" class="hash">Record</th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => <Row key={record.hash} {...record} />)}
      </tbody>
    </table>
  );
}

const namesOf = ({ name, organisation }: RecordEntry["contact"]["value"]["record"]): string =>
  organisation === undefined ? name : `${name}, ${organisation}`;

function Row({ hash, contact: { value: contact }, row }: RecordEntry) {
  const { record, confirmed_at, registered_at } = contact;
  const state = stateOf(row);
  return (
    <tr>
      <td class="name" title={namesOf(record)}>
        <a href={`/console/records/${hash}`}>{record.name}</a>
        {record.organisation !== undefined && (
          <span class="organisation muted">{record.organisation}</span>
        )}
      </td>
      <td class="type muted">{record.enquiry_type ?? "not given"}</td>
      <td class="email muted">
        {maskEmail(record.email)}
        {confirmed_at === null && <small>unconfirmed</small>}
      </td>
      <td class="level">
        {state === null
          ? (
            <>
              <span class="level-word">Level</span>
              {row.level}
            </>
          )
          : <span class="pill">{state}</span>}
      </td>
      <td class="when muted digits">
        <Time at={registered_at} day />
      </td>
      <td class="hash mono muted text-small">
        {hash.slice(0, 8)}
        {row.replaces !== null && (
          <span class="visually-hidden">, corrects {row.replaces.slice(0, 8)}</span>
        )}
      </td>
    </tr>
  );
}
