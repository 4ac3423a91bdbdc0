import type { ComponentType } from "preact";

export type Mode = "development" | "production";

/** The parts of a build that requests use. */
export interface Assets {
  /** Identifies the build; URLs that contain it may be cached for a year. */
  key: string;
  mode: Mode;
  islands: Map<Island["component"], Island>;
  /** Static files and scripts by path, for example `/styles.css`. */
  files: Map<string, StaticFile>;
}

/** A component that the browser hydrates. */
export interface Island {
  name: string;
  /** The path of its script. */
  script: string;
  exportName: string;
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

export function scriptPath(key: string, name: string): string {
  return `/_fresh/js/${key}/${name}.js`;
}

/** A route or island module of the site; its name is its path without extension. */
export interface NamedModule<Exports = Record<string, unknown>> {
  name: string;
  exports: Exports;
}

/** Returns the islands of a build by component: each export of an island module. */
export function islandsOf(key: string, modules: NamedModule[]): Assets["islands"] {
  const islands: Assets["islands"] = new Map();
  for (const { name: file, exports } of modules) {
    for (const [exportName, value] of Object.entries(exports)) {
      const component = value as ComponentType;
      const name = exportName === "default" ? file : `${file}_${exportName}`;
      islands.set(component, { name, script: scriptPath(key, file), exportName, component });
    }
  }
  return islands;
}
