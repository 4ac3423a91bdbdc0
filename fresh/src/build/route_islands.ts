/** Finds the islands that a route's pages may contain, by the imports of its modules. */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { SiteModule } from "./modules.ts";

/** Imports of the site's own modules that are not only types. */
const IMPORTED = /^(?:import|export)\b(?!\s+type\b)(?:[^"';]*?\bfrom)?\s*"(\.[^"]+)"/gm;
const EXPORTED = /^export\b(?!\s+type\b)[^"';]*?\bfrom\s*"(\.[^"]+)"/gm;

/** Returns the names of the islands that each route reaches. Islands in an island belong to it. */
export async function islandsOfRoutes(
  routes: readonly SiteModule[],
  islands: readonly SiteModule[],
): Promise<Map<SiteModule, string[]>> {
  const imported = targetsOf(IMPORTED);
  const exported = targetsOf(EXPORTED);

  // An island may be the component of another module, which pages import directly.
  const names = new Map<string, string[]>();
  for (const { name, path } of islands) {
    for (const module of [path, ...await exported(path)]) {
      names.set(module, [...names.get(module) ?? [], name]);
    }
  }

  const found = new Map<SiteModule, string[]>();
  for (const route of routes) {
    const reached = new Set([route.path]);
    const own = new Set<string>();
    for (const path of reached) { // imports are added meanwhile
      const here = names.get(path);
      if (here === undefined) {
        for (const next of await imported(path)) reached.add(next);
      } else for (const name of here) own.add(name);
    }
    found.set(route, [...own].sort());
  }
  return found;
}

/** Returns a function that returns the modules to which a pattern leads from a module. Each module is read once. */
function targetsOf(pattern: RegExp): (path: string) => Promise<string[]> {
  const known = new Map<string, Promise<string[]>>();
  const read = async (path: string): Promise<string[]> => {
    if (!existsSync(path)) return [];
    const base = pathToFileURL(path);
    return [...(await readFile(path, "utf8")).matchAll(pattern)]
      .map(([, name]) => fileURLToPath(new URL(name, base)));
  };
  return (path) => {
    if (!known.has(path)) known.set(path, read(path));
    return known.get(path)!;
  };
}
