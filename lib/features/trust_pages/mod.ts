/**
 * The sites' own pages as documents: their text is published Markdown, which has versions and a hash
 * like any other document, so that anyone can compare a copy or a print with it.
 *
 * @module
 */
export { LIFETIMES } from "./lifetimes.ts";
export {
  createPages,
  type PageIssuer,
  type PageMatch,
  type Pages,
  type PublishedPage,
  publishedPages,
  type ShownPage,
} from "./pages.ts";
export { type RenderedPage, renderPage } from "./render.ts";
export { respondWithPage } from "./respond.ts";
export { retentionRows } from "./retention.ts";
export type { PageVersion } from "./store.ts";
