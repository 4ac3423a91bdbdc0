/** The build of a site, for production on disk and for development in memory. */
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  CLIENT,
  islandName,
  type Mode,
  RELOAD,
  SIGNALS,
  type StaticFile,
  staticFile,
} from "../assets.ts";
import { assetWithKey } from "../runtime.ts";
import { App, applyBuild } from "../server/app.ts";
import { type Bundle, bundle } from "./bundle.ts";
import { hashOf, recordOf, staticRecords } from "./files.ts";
import { withLiveReload } from "./live_reload.ts";
import { islandsBelow, modulesBelow, type SiteModule } from "./modules.ts";
import { islandsOfRoutes } from "./route_islands.ts";
import { serverModule, type Snapshot, snapshotModule } from "./server_module.ts";

/** Paths of the site; relative ones start at `root`. */
export interface BuildOptions {
  /** The folder of `routes/`, `islands/` and `static/`. Default: the working directory. */
  root?: string;
  /** The module that exports `app`. Default: `main.ts`. */
  serverEntry?: string;
  /** Default: `_fresh`. */
  outDir?: string;
}

/** Returns a file's new content, or nothing to leave it as it is. */
export type TransformFn = (file: {
  /** The absolute path of the file. */
  path: string;
  text: string;
  mode: Mode;
}) => Promise<{ content: string } | void> | { content: string } | void;

/**
 * Builds a site: finds its routes and islands, bundles the scripts for the browser, and hashes its
 * static files.
 *
 * @example
 * ```ts
 * const builder = new Builder();
 * if (Deno.args.includes("build")) await builder.build();
 * else await builder.listen(() => import("./main.ts"), { port: 8000 });
 * ```
 */
// deno-lint-ignore no-explicit-any
export class Builder<State = any> {
  #paths: Required<BuildOptions>;
  #transforms: { filter: RegExp; callback: TransformFn }[] = [];

  constructor({ root = ".", outDir = "_fresh", serverEntry = "main.ts" }: BuildOptions = {}) {
    this.#paths = {
      root: resolve(root),
      outDir: resolve(root, outDir),
      serverEntry: resolve(root, serverEntry),
    };
  }

  /**
   * Changes the static text files whose path matches the filter, when the site is built. `pluginName` is for readers
   * only, as in Fresh.
   */
  onTransformStaticFile(
    { filter }: { pluginName: string; filter: RegExp },
    callback: TransformFn,
  ): void {
    this.#transforms.push({ filter, callback });
  }

  /**
   * Serves the site for development: builds in memory, and reloads pages after a restart. Resolves
   * once the server listens.
   */
  async listen(
    importApp: () => Promise<{ app: App<State> } | App<State>>,
    options: Deno.ServeTcpOptions & { port: number },
  ): Promise<void> {
    const apply = await this.build({ mode: "development", snapshot: "memory" });
    const imported = await importApp();
    const app = imported instanceof App ? imported : imported.app;
    apply(app);
    Deno.serve(options, withLiveReload(app.handler()));
  }

  /**
   * Builds to disk (`_fresh/server.js` for `deno serve`) or in memory.
   *
   * @returns A function that gives the build to an app, for tests
   */
  async build({ mode = "production", snapshot = "disk" }: {
    mode?: Mode;
    snapshot?: "disk" | "memory";
  } = {}): Promise<(app: App<State>) => void> {
    const { root, outDir } = this.#paths;
    const routes = await modulesBelow(`${root}/routes`);
    const islands = await islandsBelow(`${root}/islands`);
    const { scripts: bundled, entries: scripts } = await bundleScripts(root, routes, islands, mode);
    const records = await staticRecords(`${root}/static`);
    // The key doesn't depend on where the site is.
    const hashes = [...records].map(([path, { hash }]) => [path, hash]);
    const key = hashOf(JSON.stringify([[...bundled], hashes]));

    const written = new Map<string, Uint8Array<ArrayBuffer>>();
    const add = (path: string, text: string) => {
      const bytes = new TextEncoder().encode(text);
      written.set(path, bytes);
      records.set(path, recordOf(`${outDir}/static${path}`, bytes));
    };
    const transforms = [...this.#transforms, { filter: /\.css$/, callback: hashedUrls(key) }];
    for (const [path, { path: file }] of records) {
      const matching = transforms.filter(({ filter }) => filter.test(file));
      if (matching.length === 0) continue;
      let text = await Deno.readTextFile(file);
      for (const { callback } of matching) {
        text = (await callback({ path: file, text, mode }))?.content ?? text;
      }
      add(path, text);
    }
    for (const [name, code] of bundled) {
      add(`/_fresh/js/${key}/${name}`, code.replaceAll("__FRSH_BUILD_KEY__", key));
    }
    if (snapshot === "disk") {
      const snapshot = { root, outDir, key, routes, islands, scripts, files: records };
      await this.#write(snapshot, written);
    }

    const files = [...records].map(([path, record]): [string, StaticFile] => [
      path,
      staticFile(record, written.get(path)),
    ]);
    return (app) => applyBuild(app, { key, mode, routes, islands, scripts, files });
  }

  async #write(snapshot: Snapshot, written: Map<string, Uint8Array>): Promise<void> {
    const { outDir, serverEntry } = this.#paths;
    // Removes the whole folder, so that the files of older builds don't pile up.
    await Deno.remove(outDir, { recursive: true }).catch(() => {});
    for (const [path, bytes] of written) {
      await Deno.mkdir(`${outDir}/static${dirname(path)}`, { recursive: true });
      await Deno.writeFile(`${outDir}/static${path}`, bytes);
    }
    await Deno.writeTextFile(`${outDir}/snapshot.js`, snapshotModule(snapshot));
    await Deno.writeTextFile(`${outDir}/server.js`, serverModule(outDir, serverEntry));
  }
}

async function bundleScripts(
  root: string,
  routes: SiteModule[],
  islands: SiteModule[],
  mode: Mode,
): Promise<Bundle> {
  const client = (name: string) => JSON.stringify(import.meta.resolve(`../client/${name}.ts`));
  const entries = new Map([
    [CLIENT, `export { boot } from ${client("boot")};export { slot } from ${client("slots")};`],
    [SIGNALS, `export * from ${client("signals")};`],
  ]);
  if (mode === "development") entries.set(RELOAD, `import ${client("reload")};`);
  for (const { name, path, exports } of islands) {
    const components = Object.keys(exports).filter((key) => typeof exports[key] === "function")
      .map((key) => `${key} as ${islandName(name, key)}`);
    const url = JSON.stringify(pathToFileURL(path).href);
    entries.set(name, `export { ${components.join(", ")} } from ${url};`);
  }
  return bundle({
    root,
    entries,
    minify: mode === "production",
    pages: await pagesOf(routes, islands),
  });
}

/**
 * Returns what pages may load: the islands of each route, alone and with those of the app wrapper, which
 * may leave them out.
 */
async function pagesOf(routes: SiteModule[], islands: SiteModule[]): Promise<string[][]> {
  const found = await islandsOfRoutes(routes, islands);
  const [wrapper] = [...found].filter(([{ name }]) => name === "_app").map(([, names]) => names);
  return [...found].flatMap(([{ name }, own]) =>
    name === "_app" ? [] : [own, [...new Set([...own, ...wrapper ?? []])].sort()]
  ).map((names) => [CLIENT, ...names]);
}

/** Returns a function that adds the build key to the absolute paths in a stylesheet's `url()`. */
function hashedUrls(key: string): TransformFn {
  const url = /\burl\(\s*(["']?)(\/[^"')]*?)\1\s*\)/g;
  const hashed = (path: string) => `url(${JSON.stringify(assetWithKey(path, key))})`;
  return ({ text }) => ({ content: text.replaceAll(url, (_, _quote, path) => hashed(path)) });
}
