import type { SurfaceKind } from "./names.ts";

/** A path that answers, and the kinds of surface on which it does. */
export interface Door {
  /** A path, with `:name` for one segment and a final `*` for all that follows. */
  path: string;
  on: readonly SurfaceKind[];
}

const EVERYWHERE: readonly SurfaceKind[] = [
  "site",
  "marketing",
  "investor",
  "mcp",
  "console",
  "api",
  "trust",
];

/**
 * The one table of doors (design, section 4). The workbench stands open to all of them; a closed
 * door is a 404 like a path that does not exist.
 */
export const DOORS: readonly Door[] = [
  { path: "/", on: EVERYWHERE },
  { path: "/site", on: [] },
  { path: "/marketing", on: [] },
  { path: "/contact", on: [] },
  { path: "/console", on: ["console"] },
  { path: "/console/finance", on: ["console"] },
  { path: "/console/finance/:id", on: ["console"] },
  { path: "/console/surfaces", on: ["console"] },
  { path: "/api/bank/summary", on: ["console"] },
  { path: "/api/bank/accounts", on: ["console"] },
  { path: "/api/bank/refresh", on: ["console"] },
  { path: "/api/bank/transactions", on: ["console"] },
  { path: "/components/contact-form.js", on: ["api"] },
  { path: "/components/contact-form/:version", on: ["api"] },
  { path: "/api/ir/register", on: ["api"] },
  { path: "/api/chain/:hash", on: ["api"] },
  { path: "/verify", on: ["trust"] },
  { path: "/confirm", on: ["trust"] },
  { path: "/.well-known/chain-keys.json", on: ["trust"] },
  { path: "/auth", on: ["site", "console"] },
  { path: "/auth/verify", on: ["site", "console"] },
  { path: "/api/auth/request", on: ["site", "console"] },
  { path: "/api/auth/verify", on: ["site", "console"] },
  { path: "/api/auth/logout", on: ["site", "console"] },
  { path: "/account", on: ["site"] },
  { path: "/robots.txt", on: EVERYWHERE },
  { path: "/sitemap.xml", on: ["site", "marketing"] },
  { path: "/terms", on: ["trust"] },
  { path: "/privacy", on: ["trust"] },
  { path: "/my-record", on: ["marketing", "investor", "trust"] },
  { path: "/qualifications/:code", on: ["site"] },
  { path: "/api/qualifications", on: ["site"] },
  { path: "/connect", on: ["marketing"] },
  { path: "/standard", on: ["marketing"] },
  { path: "/standard/:section", on: ["marketing"] },
  { path: "/mcp", on: ["mcp"] },
  { path: "/.well-known/mcp", on: ["marketing", "mcp"] },
  { path: "/.well-known/mcp/server-card.json", on: ["marketing", "mcp"] },
  { path: "/dev/*", on: [] },
];

/**
 * Makes the test whether a path is open on a kind of surface.
 *
 * @example
 * ```ts
 * const isOpen = createDoors(DOORS);
 * isOpen("/mcp", "mcp"); // true
 * isOpen("/mcp", "trust"); // false
 * ```
 */
export function createDoors(
  doors: readonly Door[],
): (pathname: string, kind: SurfaceKind) => boolean {
  const exact = new Map<string, Set<SurfaceKind>>();
  const patterns: [RegExp, Set<SurfaceKind>][] = [];
  for (const { path, on } of doors) {
    const kinds = new Set<SurfaceKind>(["workbench", ...on]);
    if (/[:*]/.test(path)) patterns.push([compile(path), kinds]);
    else exact.set(path, kinds);
  }
  return (pathname, kind) => {
    const kinds = exact.get(pathname);
    if (kinds !== undefined) return kinds.has(kind);
    return patterns.some(([pattern, open]) => open.has(kind) && pattern.test(pathname));
  };
}

function compile(path: string): RegExp {
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace(/:\w+/g, "[^/]+")
    .replace(/\*$/, ".+");
  return new RegExp(`^${source}$`);
}
