/** Types and look-ups for what a build consists of: islands, scripts and static files. */
import type { ComponentType } from "preact";

export type Mode = "development" | "production";

/** The parts of a build that requests use. */
export interface Assets {
  /** Identifies the build; URLs that contain it may be cached for a year. */
  key: string;
  mode: Mode;
  islands: Map<Island["component"], Island>;
  scripts: Scripts;
  /** Static files and scripts by path, for example `/styles.css`. */
  files: Map<string, StaticFile>;
}

/** The file name of the script that contains an island module or a part of Fresh, and those of all that it imports. */
export type Scripts = Record<string, string[]>;

/** The parts of Fresh that pages load: with islands, with signals in their props, and in development. */
export const CLIENT = "fresh";
export const SIGNALS = "fresh-signals";
export const RELOAD = "fresh-reload";

/** A component that the browser hydrates. */
export interface Island {
  /** Its name in its script. */
  name: string;
  /** The name of its module. */
  module: string;
  // deno-lint-ignore no-explicit-any
  component: ComponentType<any>;
}

/** A file that `staticFiles()` serves. */
export interface StaticFile {
  /** Hash of the content, used as the ETag. */
  hash: string;
  contentType: string;
  size: number;
  read(): Promise<Uint8Array<ArrayBuffer>>;
}

/** A static file as `_fresh/snapshot.js` lists it. */
export interface FileRecord extends Omit<StaticFile, "read"> {
  path: string;
}

const MAX_CACHED_BYTES = 128 * 1024;

/**
 * Returns a file on disk, or with this content. Small files stay in memory once read: those of a
 * build never change.
 */
export function staticFile(
  { path, ...record }: FileRecord,
  cached?: Uint8Array<ArrayBuffer>,
): StaticFile {
  return {
    ...record,
    async read() {
      if (cached !== undefined) return cached;
      const bytes = await Deno.readFile(path);
      if (bytes.length <= MAX_CACHED_BYTES) cached = bytes;
      return bytes;
    },
  };
}

/** Returns the path of the script that contains a module, and those of all that it imports. */
export function scriptPaths({ key, scripts }: Pick<Assets, "key" | "scripts">, module: string) {
  const [own, ...imported] = (scripts[module] ?? [`${module}.js`])
    .map((name) => `/_fresh/js/${key}/${name}`);
  return { own, imported };
}

/** A route or island module of the site; its name is its path without extension. */
export interface NamedModule<Exports = Record<string, unknown>> {
  name: string;
  exports: Exports;
}

/** Returns the islands of a build by component: each export of an island module. */
export function islandsOf(modules: NamedModule[]): Assets["islands"] {
  const islands: Assets["islands"] = new Map();
  for (const { name: module, exports } of modules) {
    for (const [exportName, value] of Object.entries(exports)) {
      const component = value as ComponentType;
      islands.set(component, { name: islandName(module, exportName), module, component });
    }
  }
  return islands;
}

export const islandName = (module: string, exportName: string): string =>
  exportName === "default" ? module : `${module}_${exportName}`;
