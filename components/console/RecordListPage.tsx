import type { ComponentChildren } from "preact";
import { type RecordsFound, stateOf } from "../../lib/features/console/record_list.ts";
import { maskEmail, type RecordTotals } from "../../lib/features/contact/mod.ts";
import {
  type RecordEntry,
  type RecordList,
  recordList,
  type RecordQuery,
  type RecordsFilters,
  type SearchResult,
} from "../../lib/features/records/mod.ts";
import { plural } from "../../lib/base/time.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { ActionResult } from "../ActionResult.tsx";
import { FilterBar } from "../FilterBar.tsx";
import { ListBar, Pager } from "../Pager.tsx";
import { StateNote } from "../StateNote.tsx";
import { Icon } from "../Icon.tsx";
import { RecordViews } from "./RecordStatsPage.tsx";
import { Time } from "../Time.tsx";

export interface RecordListPageProps {
  filters: RecordsFilters;
  /** Null if the filters are invalid. */
  found: RecordsFound | null;
  totals: RecordTotals;
  /** The result of the deletion that led here. */
  result: ShownResult | null;
}

/** The records of the console's organisation, for full administrators. */
export function RecordListPage({ filters, found, totals, result }: RecordListPageProps) {
  return (
    <>
      <h1>Records</h1>
      <p class="lead">
        {plural(totals.registrations, "registration")} with this organisation.
      </p>
      <RecordViews current="list" />
      {result !== null && <ActionResult result={result} action="/console/records" />}
      <FilterBar list={recordList} filters={filters} class="record-filters" />
      {found === null || filters.query === null
        ? (
          <StateNote kind="error" title="Some filters are invalid">
            <p>Correct the marked fields, then apply the filters.</p>
          </StateNote>
        )
        : "list" in found
        ? <Listed query={filters.query} list={found.list} any={totals.registrations > 0} />
        : <Found query={filters.query} search={found.search} />}
    </>
  );
}

function Listed({ query, list, any }: { query: RecordQuery; list: RecordList; any: boolean }) {
  const { records, next, previous, readTo } = list;
  if (records.length === 0 && readTo === null) return <NoRecords query={query} any={any} />;
  const oldest = query.sort === "oldest";
  const backwards = query.before !== undefined;
  const order = oldest ? "oldest first" : "newest first";
  return (
    <section id="list" aria-labelledby="list-title">
      <h2 id="list-title" class="visually-hidden">Records</h2>
      <Bar query={query}>{plural(records.length, "record")} on this page, {order}</Bar>
      {records.length > 0 && <Table records={records} caption={`Records, ${order}`} />}
      {readTo !== null && (
        <p class="note" role="status">
          Few records match. The list has been searched as far as <Time at={readTo} day />.{" "}
          <a href={recordList.href(query, backwards ? { before: previous! } : { after: next! })}>
            Continue searching
          </a>
        </p>
      )}
      <Pager
        label="Pages of records"
        previous={previous === null ? null : {
          href: recordList.href(query, { before: previous }),
          text: oldest ? "Older" : "Newer",
        }}
        next={next === null ? null : {
          href: recordList.href(query, { after: next }),
          text: oldest ? "Newer" : "Older",
        }}
      />
    </section>
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

function Found({ query, search }: { query: RecordQuery; search: SearchResult }) {
  const { records, found, next, rest, searched } = search;
  const percent = Math.floor(searched * 100);
  return (
    <section id="list" aria-labelledby="list-title">
      <h2 id="list-title" class="visually-hidden">Records found</h2>
      {records.length === 0
        ? (
          <StateNote kind="empty" title="Nothing found">
            <p>
              {rest === null
                ? "Try part of the name, organisation or email address, or the first four or more " +
                  "digits of the hash. Filters also apply to the search."
                : `No match in ${percent} % of the records. The rest has not been searched yet.`}
            </p>
          </StateNote>
        )
        : (
          <>
            <Bar query={query}>
              {plural(found, "record")} found
              {query.rest !== undefined && " in the rest of the records"}
              {found > records.length
                ? `, the ${query.sort === "oldest" ? "oldest" : "newest"} ${records.length} shown`
                : `, ${query.sort === "oldest" ? "oldest" : "newest"} first`}
            </Bar>
            <Table records={records} caption="Records found" />
          </>
        )}
      {rest !== null && records.length > 0 && (
        <p class="note" role="status">
          This search has reached {percent} % of the records. More may match.
        </p>
      )}
      <div class="wrap ledger-bar">
        {query.after === undefined && query.rest === undefined
          ? <span />
          : <Again query={query} text="← First matches" />}
        {rest !== null && <Again query={query} page={{ rest }} text="Search the rest" />}
        {next !== null && (
          <Again query={query} page={{ after: next, rest: query.rest }} text="More matches →" />
        )}
      </div>
    </section>
  );
}

/** Repeats the search for another page. It is a form, because the URL must not contain the words. */
function Again({ query, page = {}, text }: {
  query: RecordQuery;
  page?: { after?: string; rest?: string };
  text: string;
}) {
  return (
    <form class="flush" method="post" action="/console/records#list">
      <Hidden fields={{ ...recordList.fields(query), ...page }} />
      <button type="submit" class="button small">{text}</button>
    </form>
  );
}

const Hidden = ({ fields }: { fields: Record<string, string | undefined> }) => (
  <>
    {Object.entries(fields).map(([name, value]) =>
      value !== undefined && <input key={name} type="hidden" name={name} value={value} />
    )}
  </>
);

/** The bar above the list. The download is a form, because the URL must not contain the words. */
const Bar = ({ query, children }: { query: RecordQuery; children: ComponentChildren }) => (
  <ListBar shown={children}>
    <form class="flush" method="post" action="/console/records">
      <Hidden fields={{ ...recordList.fields(query), format: "csv" }} />
      <button type="submit" class="button small">
        <Icon name="download" />
        Download all (CSV)
      </button>
    </form>
  </ListBar>
);

/** On narrow screens, the styles show rows as blocks; the roles keep the table's semantics. */
function Table({ records, caption }: { records: readonly RecordEntry[]; caption: string }) {
  return (
    <table class="dense-table stacked record-table" role="table">
      <caption class="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader" class="name">Name and organisation</th>
          <th scope="col" role="columnheader" class="type">Type</th>
          <th scope="col" role="columnheader" class="email">Email</th>
          <th scope="col" role="columnheader" class="level">Level</th>
          <th scope="col" role="columnheader" class="when digits">Registered</th>
          <th scope="col" role="columnheader" class="hash">Record</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
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
    <tr role="row">
      <td role="cell" class="name" title={namesOf(record)}>
        <a href={`/console/records/${hash}`}>{record.name}</a>
        {record.organisation !== undefined && (
          <span class="organisation muted">{record.organisation}</span>
        )}
      </td>
      <td role="cell" class="type muted">{record.enquiry_type ?? "not given"}</td>
      <td role="cell" class="email muted">
        {maskEmail(record.email)}
        {confirmed_at === null && <small>unconfirmed</small>}
      </td>
      <td role="cell" class="level">
        {state === null
          ? (
            <>
              <span class="level-word">Level</span>
              {row.level}
            </>
          )
          : <span class="pill">{state}</span>}
      </td>
      <td role="cell" class="when muted digits">
        <Time at={registered_at} day />
      </td>
      <td role="cell" class="hash mono muted text-small">
        {hash.slice(0, 8)}
        {row.replaces !== null && (
          <span class="visually-hidden">, corrects {row.replaces.slice(0, 8)}</span>
        )}
      </td>
    </tr>
  );
}
