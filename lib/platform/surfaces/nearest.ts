import type { Surface } from "./surfaces.ts";

/** Pages that work only from a link or a form, so that nobody types their paths. */
const NOT_TYPED = new Set([
  "/authorize",
  "/check/verified",
  "/confirm",
  "/d",
  "/d/request",
  "/find",
  "/k/verified",
  "/register",
  "/revoke",
  "/theme",
  "/token",
]);
const FOR_PROGRAMS =
  /^\/(api|mcp|oauth|components|pdfjs|dev)\/|^\/mcp$|\.(ico|js|png|svg|txt|webmanifest|xml)$|\/\.well-known\//;

/** Longer paths are not compared, because the work grows with the square of the length. */
const MAX_LENGTH = 100;
const MAX_EDITS = 3;

/** Returns the paths of a surface's own pages that people may type. */
export const typedPaths = (surface: Surface): string[] =>
  surface.routes
    .filter(({ path, off }) =>
      off === undefined && !/[:*]/.test(path) && !FOR_PROGRAMS.test(path) &&
      !NOT_TYPED.has(path) && !path.startsWith("/auth/")
    )
    .map(({ path }) => path);

/**
 * Returns the path that somebody probably meant: one that differs in few letters, or else the
 * longest one that the given path begins with. Null if there is none.
 *
 * @example
 * ```ts
 * nearestPath("/standrad", ["/", "/standard"]); // "/standard"
 * nearestPath("/standard/nothing", ["/", "/standard"]); // "/standard"
 * ```
 */
export function nearestPath(pathname: string, candidates: readonly string[]): string | null {
  const typed = normalized(pathname);
  if (typed.length > MAX_LENGTH) return null;
  const others = candidates.filter((path) => path !== "/" && path !== pathname);
  const allowed = Math.min(MAX_EDITS, Math.floor(typed.length / 3));
  let nearest: { path: string; edits: number } | null = null;
  for (const path of others) {
    if (Math.abs(path.length - typed.length) > allowed) continue;
    const edits = editDistance(typed, path.toLowerCase());
    if (edits <= allowed && edits < (nearest?.edits ?? Infinity)) nearest = { path, edits };
  }
  if (nearest !== null) return nearest.path;
  const parents = others.filter((path) => typed.startsWith(`${path.toLowerCase()}/`));
  return parents.sort((a, b) => b.length - a.length)[0] ?? null;
}

const normalized = (pathname: string): string =>
  pathname.toLowerCase().replace(/\/{2,}/g, "/").replace(/(\.(html?|php|aspx?))?\/?$/, "");

/** Returns how many letters must be added, removed, replaced or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isEqual = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isEqual ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j], before[j - 2] + 1);
      }
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}
