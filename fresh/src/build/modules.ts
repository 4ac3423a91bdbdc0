import { pathToFileURL } from "node:url";
import { filesBelow } from "./files.ts";

/** A route or island module of the site. */
export interface SiteModule {
  /** The path below its folder, without extension; an island has `$` in place of `/`. */
  name: string;
  path: string;
  exports: Record<string, unknown>;
}

const SCRIPT = /\.(?:tsx|jsx|ts|js)$/;
const TEST = /[._]test\.\w+$/;

/** Imports the modules below a folder, except tests. */
export async function modulesBelow(folder: string): Promise<SiteModule[]> {
  const files = await Array.fromAsync(filesBelow(folder));
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
