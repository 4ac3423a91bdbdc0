/**
 * The sites' own pages as documents: their text is published Markdown, which has versions and a hash
 * like any other document, so that anyone can compare a copy or a print with it.
 *
 * @module
 */
export { findEntry, findPlace, type FoundEntry, MAX_FOUND_TEXT, type Place } from "./find.ts";
export { LIFETIMES } from "./lifetimes.ts";
export {
  createPages,
  type PageIssuer,
  type PublishedPage,
  publishedPages,
  type ShownPage,
} from "./pages.ts";
export { renderPage } from "./render.ts";
export { retentionRows } from "./retention.ts";
