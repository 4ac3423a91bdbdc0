/**
 * Finds the modules that pages with a stylesheet consist of, by the imports of the site's sources. The
 * build uses it.
 *
 * @module
 */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";

const IMPORT =
  /(?:^(?:import|export)\b(?!\s+type\b)(?:[^"';]*?\bfrom)?\s*|\bimport\()"(\.[^"]+)"/gm;

const NAMED = /\bstyles="\w|\/styles\/pages\/\w+\.css/;

/** Returns the paths of the modules of a stylesheet's pages, by its name in `static/styles/pages/`. */
export type PageModules = (sheet: string) => string[];

/**
 * Reads the site's modules. A page is a module that names a stylesheet, with what it imports and with
 * the modules that put something into it; or the pages of the routes that a comment in a stylesheet names.
 *
 * @param root the site's folder
 */
export function pageModules(root: string): PageModules {
  const texts = new Map<string, string>();
  const textOf = (path: string): string => {
    if (!texts.has(path)) texts.set(path, readFileSync(path, "utf8"));
    return texts.get(path)!;
  };
  const imports = new Map<string, string[]>();
  const importsOf = (path: string): string[] => {
    if (!imports.has(path)) {
      const paths = [...textOf(path).matchAll(IMPORT)].map(([, name]) =>
        resolve(dirname(path), name)
      );
      imports.set(path, paths.filter((path) => /\.tsx?$/.test(path)));
    }
    return imports.get(path)!;
  };
  const reach = (paths: Iterable<string>): Set<string> => {
    const all = new Set(paths);
    for (const path of all) for (const imported of importsOf(path)) all.add(imported);
    return all;
  };
  const sources = (pattern: string) =>
    globSync(pattern, { cwd: root }).filter((path) => !/_test\.tsx?$/.test(path))
      .map((path) => `${root}/${path}`);

  const routes = sources("routes/**/*.{ts,tsx}");
  const wrapper = `${root}/routes/_app.tsx`;
  const modules = reach([...routes, ...sources("lib/app/middlewares/*.{ts,tsx}")]);
  const importers = new Map([...modules].map((path): [string, string[]] => [path, []]));
  for (const path of modules) {
    for (const imported of importsOf(path)) importers.get(imported)!.push(path);
  }
  // Pages get HTML that these have written, such as rendered Markdown, from services whose types they import.
  const writers = sources("lib/**/*.ts").filter((path) => textOf(path).includes('class="'));
  // The routes that stylesheets name, each with the stylesheet.
  const claims = globSync(`${root}/static/styles/pages/*.css`).flatMap((path) =>
    (readFileSync(path, "utf8").match(/\broutes\/[\w/]+/g) ?? [])
      .map((folder) => ({ folder: `${root}/${folder}`, sheet: basename(path, ".css") }))
  ).sort((a, b) => b.folder.length - a.folder.length);
  const sheetOf = (route: string) => claims.find(({ folder }) => route.startsWith(folder))?.sheet;

  return (sheet) => {
    const named = new RegExp(`styles\\b.{0,80}"${sheet}"|/styles/pages/${sheet}\\.css`);
    const pages = [...modules].filter((path) => named.test(textOf(path)));
    // The one of pages without their own.
    if (pages.includes(wrapper)) return [...modules];
    // Routes choose among pages; other modules put something into a page, unless they have their own.
    const around = pages.flatMap((path) => importers.get(path)!)
      .filter((path) => !NAMED.test(textOf(path)));
    const isRoute = (path: string) => path.startsWith(`${root}/routes/`);
    const own = routes.filter((path) => sheetOf(path) === sheet);
    const all = reach([...pages, ...around.filter((path) => !isRoute(path)), ...own]);
    // Pages of a section have a frame of their own.
    const outer = own.length > 0 ? [wrapper] : reach([wrapper]);
    return [...all.union(new Set([...around, ...outer, ...writers]))];
  };
}
