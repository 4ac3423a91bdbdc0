import type { ComponentType } from "preact";

/** What a build gives to an app besides its routes. */
export interface Assets {
  /** Identifies the build; URLs that contain it may be cached for a year. */
  key: string;
  mode: "development" | "production";
  // deno-lint-ignore no-explicit-any
  islands: Map<ComponentType<any>, Island>;
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

/** The assets of an app without a build: no islands and no static files. */
export const NO_ASSETS: Assets = {
  key: "",
  mode: "production",
  islands: new Map(),
  files: new Map(),
};

/** Returns the path of a script in a build. */
export function scriptPath(key: string, name: string): string {
  return `/_fresh/js/${key}/${name}.js`;
}

/**
 * Returns the islands of a build by component: each function that an island module exports.
 *
 * @param modules Each module with the name of its script
 */
export function islandsOf(
  key: string,
  modules: [script: string, module: Record<string, unknown>][],
): Assets["islands"] {
  const islands: Assets["islands"] = new Map();
  for (const [script, module] of modules) {
    for (const [exportName, value] of Object.entries(module)) {
      if (typeof value !== "function") continue;
      const component = value as ComponentType;
      const name = exportName === "default" ? script : `${script}_${exportName}`;
      islands.set(component, { name, script: scriptPath(key, script), exportName, component });
    }
  }
  return islands;
}
