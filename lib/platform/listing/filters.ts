/**
 * The filters of lists, and the positions where their pages begin.
 *
 * @module
 */
import { isDay, isTime } from "../../base/time.ts";
import type { RowPosition } from "./pages.ts";

/**
 * One filter of a list, or another part of its URL: the order, or where the page begins.
 *
 * @template Value the value of the filter in a query
 * @template Item what {@link Filter.test} tests
 */
export interface Filter<Value, Item> {
  /** How the form shows it. A `position` says where the page begins, and is not in the form. */
  kind: "choice" | "day" | "amount" | "search" | "position";
  label: string;
  /** Returns the value of a text that is not empty; undefined if it is invalid. */
  parse(text: string): Value | undefined;
  /** The error message for an invalid text. Without it, an invalid text counts as empty. */
  issue?: string | ((text: string) => string);
  /** Returns the text of a value; by default `String(value)`. */
  format?(value: Value): string;
  /** The value of an empty text. It is not in the list's URLs. */
  default?: Value;
  /** The values with their names, unless only the page knows them. */
  choices?: Readonly<Record<string, string>>;
  /** The text of the choice that selects everything. */
  any?: string;
  placeholder?: string;
  maxLength?: number;
  /** A filter whose value must not exceed this one's. */
  atLeast?: {
    name: string;
    issue: string;
    /** Returns whether the values are in order; by default `value >= other`. */
    holds?(value: Value, other: Value): boolean;
  };
  /** True if it only changes how items are shown, such as their order or the number per page. */
  arranges?: true;
  /** True if it is only sent in a form, because URLs must not contain personal data. */
  posted?: true;
  /** Replaces name and value in the audit log, which must not contain personal data. */
  logged?: string;
  /**
   * Returns a function that tests an item. Absent if the code that reads the items applies the filter.
   */
  test?(value: Value): (item: Item) => boolean;
}

type Options<Value, Item> =
  & Partial<Omit<Filter<Value, Item>, "kind" | "parse">>
  & { label: string };

/** A choice of one of several values. */
export const choice = <Value extends string, Item = unknown>(
  choices: Readonly<Record<Value, string>>,
  options: Options<Value, Item>,
): Filter<Value, Item> => ({
  kind: "choice",
  choices,
  parse: (text) => Object.hasOwn(choices, text) ? text as Value : undefined,
  ...options,
});

/**
 * The first and the last day of a period, in UTC.
 *
 * @param timeOf returns the time of an item, ISO 8601 in UTC. Absent if items are read by their time
 */
export function period<Item = unknown>(timeOf?: (item: Item) => string) {
  const day = (options: Options<string, Item>): Filter<string, Item> => ({
    kind: "day",
    parse: (text) => isDay(text) ? text : undefined,
    ...options,
  });
  return {
    from: day({
      label: "From",
      issue: "Enter a date, such as 2026-03-01.",
      test: timeOf && ((from) => (item) => timeOf(item) >= from),
    }),
    to: day({
      label: "To",
      issue: "Enter a date, such as 2026-03-31.",
      atLeast: { name: "from", issue: "The end is before the start." },
      // "Z" sorts after the "T" that follows the date in each time of the last day.
      test: timeOf && ((to) => (item) => timeOf(item) < `${to}Z`),
    }),
  };
}

/** The position where the page begins, which is in URLs but not in the form. */
export const position = <Value>(
  parse: (text: string) => Value | undefined,
  options: Partial<Filter<Value, unknown>> = {},
): Filter<Value, unknown> => ({ kind: "position", label: "Page", parse, ...options });

const ROW = /^(\d{4}-\d\d-\d\dT[\d:.]{12}Z)~([\w.:-]{1,100})$/;

/** Reads a row's position in a URL or form; undefined if it is not one. */
export function parsePosition(text: string): RowPosition | undefined {
  const [, at, id] = ROW.exec(text) ?? [];
  return at === undefined || !isTime(at) ? undefined : { at, id };
}

export const formatPosition = ({ at, id }: RowPosition): string => `${at}~${id}`;

/**
 * The row after or before which the page begins. Every list has such positions, except those that a bank numbers.
 *
 * @param issue the message for another text. Default: none, so that it leads to the first page
 */
export const atRow = (issue?: string): Filter<RowPosition, unknown> =>
  position(parsePosition, { issue, format: formatPosition });

/** The number of items before the page, in a list that the bank numbers. */
export const offset = (
  most: number,
  issue: string,
): Filter<number, unknown> & { default: number } =>
  withDefault(
    position(
      (text) => /^\d{1,15}$/.test(text) && Number(text) <= most ? Number(text) : undefined,
      { issue },
    ),
    0,
  );

/** Gives a filter a value for an empty text. Queries always have it. */
export const withDefault = <Value, Item>(
  filter: Filter<Value, Item>,
  value: Value,
): Filter<Value, Item> & { default: Value } => ({ ...filter, default: value });
