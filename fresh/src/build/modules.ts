/** Finds and imports the route and island modules of a site. */
import { pathToFileURL } from "node:url";
import type { NamedModule } from "../assets.ts";
import { filesBelow } from "./files.ts";

/** A module found on disk. An island's name has `$` in place of `/`. */
export interface SiteModule extends NamedModule {
  path: string;
}

const SCRIPT = /\.(?:tsx|jsx|ts|js)$/;
const TEST = /[._]test\.\w+$/;

/** Imports the modules below a folder, except tests. */
export async function modulesBelow(folder: string): Promise<SiteModule[]> {
  const files = await filesBelow(folder);
  const paths = files.filter((path) => SCRIPT.test(path) && !TEST.test(path));
  const modules = await importAll(paths.map((path) => pathToFileURL(path).href));
  return paths.map((path, i) => ({
    name: path.slice(folder.length + 1).replace(SCRIPT, ""),
    path,
    exports: modules[i],
  }));
}

/** Imports modules through one that imports them all, because Deno resolves all dependencies at each `import()`. */
async function importAll(urls: readonly string[]): Promise<SiteModule["exports"][]> {
  const lines = urls.map((url, i) => `export * as _${i} from ${JSON.stringify(url)};`);
  const all = await import(`data:text/javascript,${encodeURIComponent(lines.join(""))}`);
  return urls.map((_, i) => all[`_${i}`]);
}

/**
 * Imports the island modules below a folder.
 *
 * @throws {TypeError} for a file whose name can't be the name of a component
 */
export async function islandsBelow(folder: string): Promise<SiteModule[]> {
  return (await modulesBelow(folder)).map((module) => {
    const name = module.name.replaceAll("/", "$");
    if (!/^[A-Za-z][\w$]*$/.test(name)) throw new TypeError(`Invalid island name: ${module.path}`);
    return { ...module, name };
  });
}
