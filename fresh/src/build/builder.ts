import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { StaticFile } from "../assets.ts";
import { assetWithKey } from "../runtime.ts";
import { App, applyBuild } from "../server/app.ts";
import { bundle } from "./bundle.ts";
import { fileOnDisk, type FileRecord, hashOf, recordOf, staticRecords } from "./files.ts";
import { withLiveReload } from "./live_reload.ts";
import { islandsBelow, modulesBelow, type SiteModule } from "./modules.ts";
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
  mode: "development" | "production";
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

  /** Changes the static text files whose path matches the filter, when the site is built. */
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
    mode?: "development" | "production";
    snapshot?: "disk" | "memory";
  } = {}): Promise<(app: App<State>) => void> {
    const { root, outDir } = this.#paths;
    const routes = await modulesBelow(`${root}/routes`);
    const islands = await islandsBelow(`${root}/islands`);
    const bundled = await bundleScripts(root, islands, mode);
    const records = await staticRecords(`${root}/static`);
    const key = await buildKey(bundled, records);

    const written = new Map<string, Uint8Array<ArrayBuffer>>();
    const add = async (path: string, text: string) => {
      const bytes = new TextEncoder().encode(text);
      written.set(path, bytes);
      records.set(path, await recordOf(`${outDir}/static${path}`, bytes));
    };
    for (const [path, { path: file }] of records) {
      const transforms = this.#transforms.filter(({ filter }) => filter.test(file));
      const isCss = path.endsWith(".css");
      if (transforms.length === 0 && !isCss) continue;
      const original = await Deno.readTextFile(file);
      let text = original;
      for (const { callback } of transforms) {
        text = (await callback({ path: file, text, mode }))?.content ?? text;
      }
      if (isCss) text = withHashedUrls(text, key);
      if (text !== original) await add(path, text);
    }
    for (const [name, code] of bundled) {
      await add(`/_fresh/js/${key}/${name}`, code.replaceAll("__FRSH_BUILD_KEY__", key));
    }
    if (snapshot === "disk") await this.#write({ key, routes, islands, files: records }, written);

    const files = [...records].map(([path, record]): [string, StaticFile] => {
      const bytes = written.get(path);
      const read = () => Promise.resolve(bytes!);
      return [path, bytes === undefined ? fileOnDisk(record) : { ...record, read }];
    });
    const named = (modules: SiteModule[]) =>
      modules.map(({ name, exports }): [string, SiteModule["exports"]] => [name, exports]);
    return (app) =>
      applyBuild(app, { key, mode, routes: named(routes), islands: named(islands), files });
  }

  async #write(
    parts: Pick<Snapshot, "key" | "routes" | "islands" | "files">,
    written: Map<string, Uint8Array>,
  ): Promise<void> {
    const { root, outDir, serverEntry } = this.#paths;
    // Removes the whole folder, so that the files of older builds don't pile up.
    await Deno.remove(outDir, { recursive: true }).catch(() => {});
    for (const [path, bytes] of written) {
      await Deno.mkdir(`${outDir}/static${dirname(path)}`, { recursive: true });
      await Deno.writeFile(`${outDir}/static${path}`, bytes);
    }
    const snapshot = snapshotModule({ root, outDir, ...parts });
    await Deno.writeTextFile(`${outDir}/snapshot.js`, snapshot);
    await Deno.writeTextFile(`${outDir}/server.js`, serverModule(outDir, serverEntry));
  }
}

function bundleScripts(
  root: string,
  islands: SiteModule[],
  mode: "development" | "production",
): Promise<Map<string, string>> {
  const entries = new Map<string, string>();
  const client = ["boot", "signals", "slots", ...mode === "development" ? ["reload"] : []];
  for (const name of client) {
    const { href } = new URL(`../client/${name}.ts`, import.meta.url);
    entries.set(`fresh-${name}`, `export * from ${JSON.stringify(href)};`);
  }
  for (const { name, path, exports } of islands) {
    const components = Object.keys(exports).filter((key) => typeof exports[key] === "function");
    const url = JSON.stringify(pathToFileURL(path).href);
    entries.set(name, `export { ${components.join(", ")} } from ${url};`);
  }
  return bundle({ root, entries, minify: mode === "production" });
}

/** Adds the build key to the absolute paths in a stylesheet's `url()`. */
function withHashedUrls(css: string, key: string): string {
  return css.replaceAll(
    /\burl\(\s*(["']?)(\/[^"')]*?)\1\s*\)/g,
    (_, _quote, path) => `url(${JSON.stringify(assetWithKey(path, key))})`,
  );
}

/** Returns a hash of the scripts and static files, independent of where the site is. */
async function buildKey(
  scripts: Map<string, string>,
  records: Map<string, FileRecord>,
): Promise<string> {
  const hashes = [...records].map(([path, { hash }]) => [path, hash]);
  return await hashOf(new TextEncoder().encode(JSON.stringify([[...scripts], hashes])));
}
