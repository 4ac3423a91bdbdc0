/**
 * Lists with filters: the reading of their URLs and forms, and what they select.
 *
 * @module
 */
import { unmarked } from "../../base/pasted.ts";
import type { ExportFormat } from "./export.ts";
import type { Filter } from "./filters.ts";

/** The filters of a list by name, in the order of the form. */
export type FilterTable = Readonly<Record<string, Filter<unknown, never>>>;

type ValueOf<Row> = Row extends { parse(text: string): infer Value } ? Exclude<Value, undefined>
  : never;

type DefaultedIn<Table> = {
  [Name in keyof Table]: Table[Name] extends { default: unknown } ? Name : never;
}[keyof Table];

/** The items that a filter tests. A filter without a test fits all items. */
type TestedBy<Row> = Row extends Filter<unknown, infer Item>
  ? [Item] extends [never] ? unknown : Item
  : never;

/** The items that all filters of a table can test: the intersection of theirs. */
type ItemOf<Table> = {
  [Name in keyof Table]: (item: TestedBy<Table[Name]>) => void;
}[keyof Table] extends (item: infer Item) => void ? Item : never;

/** The values of a list's filters. Those without a default are absent unless they are used. */
export type Query<Table> =
  & { -readonly [Name in DefaultedIn<Table>]: ValueOf<Table[Name]> }
  & { -readonly [Name in Exclude<keyof Table, DefaultedIn<Table>>]?: ValueOf<Table[Name]> };

export interface ReadFilters<Table> {
  /** The texts of the filters as they were typed. */
  typed: Record<keyof Table, string>;
  /** Null if a filter is invalid. */
  query: Query<Table> | null;
  /** The problem of each invalid filter. */
  issues: Partial<Record<keyof Table, string>>;
}

/** A list with filters: their parsing, their URLs and what they select. */
interface List<Table extends FilterTable> {
  path: string;
  filters: Table;
  /** Reads the filters in the parameters of a URL. Empty and unknown ones are ignored. */
  read(params: URLSearchParams): ReadFilters<Table>;
  /** Reads the filters that a form posts, including those that are in no URL. */
  readForm(fields: Record<string, unknown>): ReadFilters<Table>;
  /** Parses the texts of filters, each of which must have a value. */
  parse(texts: Partial<Record<keyof Table, string>>): Omit<ReadFilters<Table>, "typed">;
  /** Returns the texts of a query, without the page's position and without defaults. */
  fields(query: Partial<Query<Table>>): Record<string, string>;
  /** Returns the texts of a page's position. */
  positions(more: { [Name in keyof Table]?: ValueOf<Table[Name]> }): Record<string, string>;
  /** Returns whether a query has a value that must not be in a URL. */
  isPosted(query: Partial<Query<Table>>): boolean;
  /**
   * Returns the list's URL with a query, but without its position.
   *
   * @param more the position of the page, or the format of a download
   */
  href(
    query: Partial<Query<Table>>,
    more?: { [Name in keyof Table]?: ValueOf<Table[Name]> } & { format?: ExportFormat },
  ): string;
  /** Returns whether a query selects some of the items. */
  isFiltered(query: Partial<Query<Table>>): boolean;
  /** Describes the filters of a query for the audit log. */
  describe(query: Partial<Query<Table>>): string[];
  /** Returns whether items must be tested to match a query. */
  isTested(query: Partial<Query<Table>>): boolean;
  /** Returns a function that tests whether an item matches all filters of a query that have a test. */
  matcher(query: Partial<Query<Table>>): (item: ItemOf<Table>) => boolean;
}

/** The longest text of a filter, in characters. Every valid value is shorter. */
const MAX_TYPED = 250;

/**
 * Defines a list with filters.
 *
 * @example
 * ```ts
 * const list = defineList("/console/payments", {
 *   status: choice(STATUS_LABELS, { label: "Status", any: "All", issue: "Choose a status." }),
 *   ...period(),
 * });
 * const { typed, query, issues } = list.read(ctx.url.searchParams);
 * ```
 */
export function defineList<const Table extends FilterTable>(
  path: string,
  filters: Table,
): List<Table> {
  // The types of the values are known to the interface; here, all filters are treated alike.
  type Row = Filter<unknown, unknown>;
  type Values = Record<string, unknown>;
  const rows = Object.entries(filters) as [string, Row][];

  /** Returns the rows of a query's values, in the order of the query. */
  const given = (query: Values) =>
    Object.entries(query).flatMap(([name, value]): [string, Row, unknown][] =>
      Object.hasOwn(filters, name) && value !== undefined
        ? [[name, filters[name] as Row, value]]
        : []
    );

  const used = (query: Values) => given(query).filter(([, row, value]) => value !== row.default);

  const selecting = (query: Values) =>
    used(query).filter(([, { kind, arranges }]) => kind !== "position" && !arranges);

  const tests = (query: Values) =>
    given(query).flatMap(([, { test }, value]) => test === undefined ? [] : [test(value)]);

  function fields(query: Values): Record<string, string> {
    const last = ({ arranges }: Row) => arranges ? 1 : 0;
    return Object.fromEntries(
      used(query).filter(([, { kind }]) => kind !== "position")
        .sort(([, a], [, b]) => last(a) - last(b))
        .map(([name, row, value]) => [name, textOf(row, value)]),
    );
  }

  function parse(texts: Partial<Record<string, string>>) {
    const query: Values = {};
    const issues: Record<string, string> = {};
    for (const [name, row] of rows) {
      const text = texts[name] === undefined ? undefined : unmarked(texts[name]);
      const value = text === undefined ? undefined : row.parse(text);
      if (value !== undefined) query[name] = value;
      else if (text !== undefined && row.issue !== undefined) {
        issues[name] = typeof row.issue === "string" ? row.issue : row.issue(text);
      } else if (row.default !== undefined) query[name] = row.default;
    }
    for (const [name, { atLeast }] of rows) {
      if (atLeast === undefined) continue;
      const { holds = (value, other) => value as string >= (other as string) } = atLeast;
      const [value, other] = [query[name], query[atLeast.name]];
      if (value !== undefined && other !== undefined && !holds(value, other)) {
        issues[name] = atLeast.issue;
      }
    }
    return { query: Object.keys(issues).length === 0 ? query : null, issues };
  }

  function readEach(textIn: (name: string, row: Row) => unknown) {
    const typed = Object.fromEntries(rows.map(([name, row]) => {
      const text = textIn(name, row);
      return [name, typeof text === "string" ? unmarked(text).slice(0, MAX_TYPED) : ""];
    }));
    const given = Object.entries(typed).filter(([, text]) => text !== "");
    return { typed, ...parse(Object.fromEntries(given)) };
  }

  const positions = (more: Values): Record<string, string> =>
    Object.fromEntries(used(more).map(([name, row, value]) => [name, textOf(row, value)]));

  function href(query: Values, more: Values = {}): string {
    const params = new URLSearchParams();
    for (const [name, text] of Object.entries(fields(query))) {
      if (!(filters[name] as Row).posted) params.set(name, text);
    }
    const { format, ...page } = more;
    if (format !== undefined) params.set("format", String(format));
    for (const [name, text] of Object.entries(positions(page))) params.set(name, text);
    return params.size === 0 ? path : `${path}?${params}`;
  }

  const list = {
    path,
    filters,
    read: (params: URLSearchParams) =>
      readEach((name, { posted }) => posted ? null : params.get(name)),
    readForm: (given: Values) => readEach((name) => given[name]),
    parse,
    fields,
    positions,
    isPosted: (query: Values) => used(query).some(([, { posted }]) => posted),
    href,
    isFiltered: (query: Values) => selecting(query).length > 0,
    describe: (query: Values) =>
      selecting(query).map(([name, row, value]) => row.logged ?? `${name} ${textOf(row, value)}`),
    isTested: (query: Values) => tests(query).length > 0,
    matcher(query: Values) {
      const all = tests(query);
      return (item: unknown) => all.every((test) => test(item));
    },
  };
  return list as unknown as List<Table>;
}

const textOf = ({ format = String }: Filter<unknown, unknown>, value: unknown) => format(value);
