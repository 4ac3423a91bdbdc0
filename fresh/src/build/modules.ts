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
  return await Promise.all(paths.map(async (path) => ({
    name: path.slice(folder.length + 1).replace(SCRIPT, ""),
    path,
    exports: await import(pathToFileURL(path).href),
  })));
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
