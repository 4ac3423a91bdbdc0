import { plural } from "../../lib/base/time.ts";
import type { IssuedFilters, IssuedList } from "../../lib/features/issuing/console_list.ts";
import { issuedPath } from "../../lib/features/issuing/issued_path.ts";
import { formatDocumentId } from "../../lib/features/documents/mod.ts";
import { issuedStateOf, type Listed, type ListedPage } from "../../lib/features/issuing/mod.ts";
import { formatPosition } from "../../lib/platform/listing/filters.ts";
import { FilterBar } from "../FilterBar.tsx";
import { ListBar, Pager, PostedStep } from "../Pager.tsx";
import { StateNote } from "../StateNote.tsx";
import { Time } from "../Time.tsx";
import { IssuedPill } from "./IssuedState.tsx";

interface DocumentsPageProps {
  list: IssuedList;
  filters: IssuedFilters;
  /** Null if the filters are invalid. */
  found: ListedPage | null;
  now: number;
}

/** The documents of an issuer, for full administrators. */
export const DocumentsPage = ({ list, filters, found, now }: DocumentsPageProps) => (
  <>
    <FilterBar list={list} filters={filters} class="record-filters" />
    {found === null || filters.query === null
      ? (
        <StateNote kind="error" title="Some filters are invalid">
          <p>Correct the marked fields, then apply the filters.</p>
        </StateNote>
      )
      : <Found {...{ list, found, now }} query={filters.query} />}
  </>
);

type Query = NonNullable<IssuedFilters["query"]>;

function Found({ list, query, found, now }: {
  list: IssuedList;
  query: Query;
  found: ListedPage;
  now: number;
}) {
  const { page, next, cut } = found;
  if (page.length === 0 && next === null) return <Nothing {...{ list, query }} />;
  return (
    <section id="list" aria-labelledby="list-title">
      <h2 id="list-title" class="visually-hidden">Documents</h2>
      <ListBar shown={`${plural(page.length, "document")} on this page, newest first`} />
      {page.length > 0 && <Table {...{ page, now }} />}
      {cut && (
        <p class="note" role="status">
          Few documents match. The list has been searched as far as <Time at={next![0]} day />.
        </p>
      )}
      <Pages {...{ list, query, next }} text={cut ? "Continue searching" : "Older"} />
    </section>
  );
}

function Pages({ list, query, next, text }: {
  list: IssuedList;
  query: Query;
  next: ListedPage["next"];
  text: string;
}) {
  const after = next === null ? undefined : { at: next[0], id: next[1] };
  if (query.text === undefined) {
    return (
      <Pager
        label="Pages of documents"
        previous={query.after && { href: list.href(query), text: "Newest" }}
        next={after && { href: list.href(query, { after }), text }}
      />
    );
  }
  if (after === undefined) return null;
  const fields = { ...list.fields(query), after: formatPosition(after) };
  return (
    <nav class="pager middle gap-3" aria-label="Pages of documents">
      <span />
      <PostedStep action={`${list.path}#list`} fields={fields} text={`${text} →`} />
    </nav>
  );
}

function Nothing({ list, query }: { list: IssuedList; query: Query }) {
  if (query.text !== undefined) {
    return (
      <StateNote kind="empty" title="Nothing found">
        <p>
          Enter a document’s number, the issuer’s own id, the recipient’s whole email address, or a
          word of their name or its first three letters. Filters also apply to the search.
        </p>
      </StateNote>
    );
  }
  const isFiltered = list.isFiltered(query) || query.after !== undefined;
  return (
    <StateNote kind="empty" title={isFiltered ? "No documents match" : "No documents yet"}>
      <p>
        {isFiltered
          ? <a href={list.path}>Clear the filters to see all live documents.</a>
          : "A document that names this issuer appears here."}
      </p>
    </StateNote>
  );
}

const Table = ({ page, now }: { page: readonly Listed[]; now: number }) => (
  <table class="dense-table stacked issued-table issued-documents">
    <caption class="visually-hidden">Documents, newest first</caption>
    <thead>
      <tr>
        <th scope="col">Recipient</th>
        <th scope="col">Title</th>
        <th scope="col" class="external">External id</th>
        <th scope="col" class="status">State</th>
        <th scope="col" class="when digits">Issued</th>
        <th scope="col" class="number">Number</th>
      </tr>
    </thead>
    <tbody>
      {page.map((listed) => <Row key={listed.document.id} {...{ listed, now }} />)}
    </tbody>
  </table>
);

/** Returns how a list names the recipient of a document. */
export const recipientName = ({ document, recipient }: Listed): string =>
  document.named ?? recipient?.name ?? (recipient === null ? "In a record" : "Erased");

function Row({ listed, now }: { listed: Listed; now: number }) {
  const { document } = listed;
  return (
    <tr>
      <td class="name" title={recipientName(listed)}>
        <a href={issuedPath(document)}>{recipientName(listed)}</a>
      </td>
      <td class="title" title={document.title}>{document.title}</td>
      <td class="external muted" title={document.external_id}>
        {document.external_id ?? "–"}
      </td>
      <td class="status">
        <IssuedPill state={issuedStateOf(listed, now)} />
      </td>
      <td class="when muted digits">
        <Time at={document.created_at} day />
      </td>
      <td class="number mono muted text-small">{formatDocumentId(document.id)}</td>
    </tr>
  );
}
