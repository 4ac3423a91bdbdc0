import { type ComponentChild, Fragment, h, type VNode } from "preact";

/**
 * Joins texts and elements. An element that contained the array itself would show `&amp;` for `&`: the server
 * escapes the texts of an array when it fills in the element's template, and again when it renders the array.
 */
export const mixedText = (parts: ComponentChild[]): VNode => h(Fragment, null, ...parts);
