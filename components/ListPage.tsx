/**
 * The page of a list: its filters, its items, and the ways to its other pages and to its export.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import type { FilterTable } from "../lib/platform/listing/list.ts";
import { FilterBar } from "./FilterBar.tsx";
import { DownloadForm, DownloadLink, ListBar, Pager, PostedStep } from "./Pager.tsx";
import { StateNote } from "./StateNote.tsx";
import { Table, type TableProps } from "./Table.tsx";
import { Time } from "./Time.tsx";

/** A list as `defineList` returns it, whatever its filters. */
interface AnyList<Query> {
  path: string;
  filters: FilterTable;
  href(query: Partial<Query>, more?: Record<string, unknown>): string;
  fields(query: Partial<Query>): Record<string, string>;
  isFiltered(query: Query): boolean;
  isPosted(query: Partial<Query>): boolean;
  positions(more: Record<string, unknown>): Record<string, string>;
}

/** Where another page begins: its position in the list, or none for the first one. */
interface Step {
  to: Record<string, unknown>;
  text: string;
}

export interface ListPages {
  label: string;
  previous?: Step | null;
  next?: Step | null;
  /** The part of the page that links lead to, such as `#list`. */
  hash?: string;
  /** The number of the page. */
  children?: ComponentChildren;
}

interface ListPageProps<Query, Name extends string> {
  list: AnyList<Query>;
  filters: {
    typed: Record<Name, string>;
    query: Query | null;
    issues: Partial<Record<Name, string>>;
  };
  /** The bar above the list. Default: the filters. */
  bar?: ComponentChildren;
  /** The class of the form with the filters. */
  class?: string;
  choices?: Parameters<typeof FilterBar<Name>>[0]["choices"];
  tabs?: readonly Name[];
  /** Null if the filters are invalid. */
  page: Listed | null;
}

/** The items of a page, and what is said about them. */
export interface Listed {
  /** The parts above the list, such as totals. */
  above?: ComponentChildren;
  /** The heading of the list for screen readers. Default: none, and no section. */
  title?: string;
  /** The section, if it has a heading of its own with the id `…-title`. */
  section?: { id: string; head: ComponentChildren };
  /** The note in place of an empty list. */
  empty: ComponentChildren;
  /** How much the page shows. */
  shown?: ComponentChildren;
  /** True if the list can be downloaded. */
  exports?: boolean;
  /** The table or list of the items; null if there are none. */
  items: ComponentChildren | null;
  /** The time as far as the list was searched, if the page is not full because few items match. */
  searchedTo?: { at: string; what: string } | null;
  pages: ListPages | null;
}

/** The page of a list: its filters, its items, and the ways to its other pages and to its export. */
export function ListPage<Query, Name extends string>(props: ListPageProps<Query, Name>) {
  const { list, filters, bar, choices, tabs, page } = props;
  return (
    <>
      {bar ?? (
        <FilterBar
          {...{ list, filters, choices, tabs }}
          class={props.class}
        />
      )}
      {page === null || filters.query === null
        ? (
          <StateNote kind="error" title="Some filters are invalid">
            <p>Correct the marked fields.</p>
          </StateNote>
        )
        : (
          <>
            {page.above}
            <Items {...{ list, page }} query={filters.query} />
          </>
        )}
    </>
  );
}

function Items<Query>(
  { list, query, page }: { list: AnyList<Query>; query: Query; page: Listed },
) {
  const { title, empty, shown, items, searchedTo, exports } = page;
  const pages = page.pages && <Pages list={list} query={query} {...page.pages} />;
  if (items === null && !searchedTo) return <>{empty}{pages}</>;
  const content = (
    <>
      {shown !== undefined && (
        <ListBar shown={shown}>{exports && <Download {...{ list, query }} />}</ListBar>
      )}
      {items}
      {searchedTo && (
        <p class="note" role="status">
          Few {searchedTo.what} match so far. The list has been searched as far as{" "}
          <Time at={searchedTo.at} day />.
        </p>
      )}
      {pages}
    </>
  );
  if (title === undefined && page.section === undefined) return content;
  const { id, head } = page.section ?? {
    id: "list",
    head: <h2 id="list-title" class="visually-hidden">{title}</h2>,
  };
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      {head}
      {content}
    </section>
  );
}

/** The way to the export. It is a form if the URL must not contain the filters. */
function Download<Query>({ list, query }: { list: AnyList<Query>; query: Query }) {
  const isPosted = Object.values(list.filters).some(({ posted }) => posted);
  const filtered = list.isFiltered(query);
  return isPosted
    ? (
      <DownloadForm
        action={list.path}
        fields={{ ...list.fields(query), format: "csv" }}
        filtered={filtered}
      />
    )
    : <DownloadLink href={list.href(query, { format: "csv" })} filtered={filtered} />;
}

/** Links to other pages; forms for a search whose text must not be in a URL. */
function Pages<Query>({ list, query, label, previous, next, hash = "", children }: ListPages & {
  list: AnyList<Query>;
  query: Query;
}) {
  if (!list.isPosted(query)) {
    const link = (step: Step | null | undefined) =>
      step ? { href: list.href(query, step.to) + hash, text: step.text } : null;
    return <Pager label={label} previous={link(previous)} next={link(next)}>{children}</Pager>;
  }
  if (!previous && !next) return null;
  const step = (to: Step | null | undefined, text: (text: string) => string) =>
    to
      ? (
        <PostedStep
          action={`${list.path}#list`}
          fields={{ ...list.fields(query), ...list.positions(to.to) }}
          text={text(to.text)}
        />
      )
      : <span />;
  return (
    <nav class="pager middle gap-3" aria-label={label}>
      {step(previous, (text) => `← ${text}`)}
      {step(next, (text) => `${text} →`)}
    </nav>
  );
}

/** The items of a page as a table; null if there are none. */
export const tableOf = <Item, View>(props: TableProps<Item, View>): ComponentChildren | null =>
  props.items.length === 0 ? null : <Table {...props} />;
