import type { State } from "../../lib/app/state.ts";

/** A document about the standard, by its path on the foundation's site. */
interface StandardDocument {
  path: string;
  text: string;
}

const DOCUMENTS: readonly StandardDocument[] = [
  { path: "/standard/complete", text: "On one page" },
  { path: "/standard.pdf", text: "PDF" },
  { path: "/standard.md", text: "Markdown" },
  { path: "/standard/vectors.json", text: "Test vectors as JSON" },
  { path: "/standard/changelog", text: "Changelog" },
];

/** Returns whether a surface has this route. `serves()` also matches `/standard/:section`. */
export const hasRoute = ({ surface }: State, path: string): boolean =>
  surface.routes.some((route) => route.path === path && route.off === undefined);

/** Returns the forms of the standard that the surface serves. */
export const standardDocuments = (state: State): StandardDocument[] =>
  DOCUMENTS.filter(({ path }) => hasRoute(state, path));
