import { pathToFileURL } from "node:url";
import { filesBelow } from "./files.ts";

/** A route or island module of the site. */
export interface SiteModule {
  /** The path below its folder, without extension; unlike a script's name, it may contain `/`. */
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

/** Imports the island modules below a folder, named so that the names are identifiers. */
export async function islandsBelow(folder: string): Promise<SiteModule[]> {
  const modules = await modulesBelow(folder);
  return modules.map((module) => ({ ...module, name: module.name.replaceAll(/[^\w$]/g, "_") }));
}
