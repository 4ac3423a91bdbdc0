/** The suggestion on the page for an unknown path: the page that was probably meant. */
import type { Surface } from "./surfaces.ts";
import { levenshteinDistance } from "@std/text/levenshtein-distance";

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
    const edits = levenshteinDistance(typed, path.toLowerCase());
    if (edits <= allowed && edits < (nearest?.edits ?? Infinity)) nearest = { path, edits };
  }
  if (nearest !== null) return nearest.path;
  const parents = others.filter((path) => typed.startsWith(`${path.toLowerCase()}/`));
  return parents.sort((a, b) => b.length - a.length)[0] ?? null;
}

const normalized = (pathname: string): string =>
  pathname.toLowerCase().replace(/\/{2,}/g, "/").replace(/(\.(html?|php|aspx?))?\/?$/, "");
