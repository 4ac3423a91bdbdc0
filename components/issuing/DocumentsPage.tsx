/**
 * The list of an issuer’s documents in the console.
 *
 * @module
 */
import { plural } from "../../lib/base/time.ts";
import type { IssuedFilters, IssuedList } from "../../lib/features/issuing/console_list.ts";
import { formatDocumentId } from "../../lib/features/documents/mod.ts";
import {
  issuedPath,
  issuedStateOf,
  type Listed as ListedDocument,
  type ListedPage,
} from "../../lib/features/issuing/mod.ts";
import { type Listed, ListPage, tableOf } from "../ListPage.tsx";
import { StateNote } from "../StateNote.tsx";
import type { ListColumns } from "../Table.tsx";
import { Time } from "../Time.tsx";
import { IssuedPill } from "./IssuedState.tsx";

interface DocumentsPageProps {
  list: IssuedList;
  filters: IssuedFilters;
  /** Null if the filters are invalid. */
  found: ListedPage | null;
  /** True if there are tests, and nothing else was searched for. */
  onlyTests: boolean;
  now: number;
}

/** The documents of an issuer, for full administrators. */
export const DocumentsPage = ({ list, filters, found, onlyTests, now }: DocumentsPageProps) => (
  <ListPage
    list={list}
    filters={filters}
    class="record-filters"
    page={found && filters.query && listed(list, filters.query, found, { onlyTests, now })}
  />
);

type Query = NonNullable<IssuedFilters["query"]>;

/** Returns how a list names the recipient of a document. */
export const recipientName = ({ document, recipient }: ListedDocument): string =>
  document.named ?? recipient?.name ?? (recipient === null ? "In a record" : "Erased");

/** The columns of the list. Its cells need the time, on which the state depends. */
const DOCUMENT_COLUMNS: ListColumns<ListedDocument, { now: number }> = {
  recipient: {
    title: "Recipient",
    look: "name",
    hint: recipientName,
    cell: (listed) => <a href={issuedPath(listed.document)}>{recipientName(listed)}</a>,
  },
  title: {
    title: "Title",
    look: "title",
    hint: ({ document }) => document.title,
    cell: ({ document }) => document.title,
  },
  external_id: {
    title: "External id",
    class: "external",
    look: ({ document }) => document.external_id === undefined ? "muted none" : "muted",
    hint: ({ document }) => document.external_id,
    cell: ({ document }) => document.external_id ?? "–",
  },
  state: {
    title: "State",
    class: "status",
    cell: (listed, { now }) => <IssuedPill state={issuedStateOf(listed, now)} />,
  },
  created_at: {
    title: "Issued",
    class: "when digits",
    look: "muted",
    cell: ({ document }) => <Time at={document.created_at} day />,
  },
  id: {
    title: "Number",
    class: "number",
    look: "mono muted text-small",
    cell: ({ document }) => formatDocumentId(document.id),
  },
};

function listed(
  list: IssuedList,
  query: Query,
  { page, next, cut }: ListedPage,
  { onlyTests, now }: Pick<DocumentsPageProps, "onlyTests" | "now">,
): Listed {
  const after = next && { at: next[0], id: next[1] };
  const isEmpty = page.length === 0 && next === null;
  return {
    title: "Documents",
    empty: <Nothing {...{ list, query, onlyTests }} />,
    shown: `${plural(page.length, "document")} on this page, newest first`,
    items: tableOf({
      class: "dense-table stacked issued-table issued-documents",
      caption: "Documents, newest first",
      columns: DOCUMENT_COLUMNS,
      items: page,
      keyOf: ({ document }) => document.id,
      view: { now },
    }),
    searchedTo: cut ? { at: after!.at, what: "documents" } : null,
    pages: isEmpty ? null : {
      label: "Pages of documents",
      previous: query.after && query.text === undefined ? { to: {}, text: "Newest" } : null,
      next: after && { to: { after }, text: cut ? "Continue searching" : "Older" },
    },
  };
}

function Nothing(
  { list, query, onlyTests }: { list: IssuedList; query: Query; onlyTests: boolean },
) {
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
          : onlyTests
          ? (
            <>
              There are only <a href={list.href({ mode: "test" })}>test documents</a>.
            </>
          )
          : "A document that names this issuer appears here."}
      </p>
    </StateNote>
  );
}
