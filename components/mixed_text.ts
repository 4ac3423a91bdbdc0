import { type ComponentChild, Fragment, h, type VNode } from "preact";

/**
 * Joins texts and elements. An element that contained the array itself would show `&amp;` for `&`: the server
 * escapes the texts of an array when it fills in the element's template, and again when it renders the array.
 */
export const mixedText = (parts: ComponentChild[]): VNode => h(Fragment, null, ...parts);

/** Lets an address wrap after its `@`, and the name of a variable after each `_`. */
export const breakable = (text: string): VNode =>
  mixedText(
    text.split(/(?<=[@_])/).flatMap((part, i) => i === 0 ? [part] : [h("wbr", { key: i }), part]),
  );
