/**
 * The tables of lists, from columns that say what a page shows of an item and what an export contains.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import type { Columns } from "../lib/platform/listing/export.ts";

/**
 * A column of a list: how a page shows it, and its value in exports. Columns without a title are only exported,
 * those without a value only shown.
 *
 * @template View what the cells need besides the item, such as the filters of the page
 */
export interface Column<Item, View = unknown> {
  /** The heading. */
  title?: string;
  /** The class of the heading and the cells. */
  class?: string;
  /** A further class of the cells. */
  look?: string | ((item: Item) => string);
  /** The tooltip of a cell, such as a text that may be cut off. */
  hint?(item: Item, view: View): string | undefined;
  cell?(item: Item, view: View): ComponentChildren;
  value?: Columns<Item>[string]["value"];
}

/** The columns of a list by their names in exports, in that order. */
export type ListColumns<Item, View = unknown> = Readonly<Record<string, Column<Item, View>>>;

export interface TableProps<Item, View> {
  class: string;
  /** The name of the table for screen readers. */
  caption: string;
  columns: ListColumns<Item, View>;
  /** The names of the columns to show, in this order. Default: all. */
  shown?: readonly string[];
  items: readonly Item[];
  keyOf(item: Item): string | number;
  /** The class of a row. */
  rowOf?(item: Item): string | undefined;
  view: View;
}

/** A table of items, from the columns of their list. */
export function Table<Item, View>(props: TableProps<Item, View>) {
  const { columns, items, keyOf, rowOf, view } = props;
  const shown = (props.shown ?? Object.keys(columns)).map((name) => ({ name, ...columns[name] }));
  return (
    <table class={props.class}>
      <caption class="visually-hidden">{props.caption}</caption>
      <thead>
        <tr>
          {shown.map(({ name, title, class: kind }) => (
            <th key={name} scope="col" class={kind}>{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={keyOf(item)} class={rowOf?.(item)}>
            {shown.map(({ name, class: kind, look, hint, cell }) => {
              const own = typeof look === "function" ? look(item) : look;
              const classes = [kind, own].filter(Boolean).join(" ");
              return (
                <td key={name} class={classes || undefined} title={hint?.(item, view)}>
                  {cell?.(item, view)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
