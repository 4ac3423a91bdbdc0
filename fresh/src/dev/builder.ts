import { App, applySnapshot } from "../app.ts";
import type { RouteModule } from "../fs_routes.ts";
import { type Build, snapshotOf } from "../internal.ts";
import type { ListenOptions } from "../types.ts";
import { bundle } from "./bundle.ts";
import { type Crawl, crawl } from "./crawl.ts";
import { liveReload } from "./live_reload.ts";
import { type ServerFile, serverModule } from "./server_module.ts";
import { contentType, fileInMemory, hashOf, staticRecords } from "./static.ts";

/** Where a site's parts stand; relative paths are below `root`. */
export interface BuildOptions {
  /** Syntax level of the browser's scripts, as esbuild's `target`. Default: as written. */
  target?: string | string[];
  /** Default: the working directory. */
  root?: string;
  /** The module that exports `app`. Default: `main.ts`. */
  serverEntry?: string;
  /** Default: `_fresh`. */
  outDir?: string;
  /** Default: `static`. */
  staticDir?: string;
  /** Default: `islands`. */
  islandDir?: string;
  /** Default: `routes`. */
  routeDir?: string;
  /** Files that are neither routes nor islands. Default: tests. */
  ignore?: RegExp[];
  sourceMap?: { kind: boolean | "linked" | "inline" | "external" };
}

export type ResolvedBuildConfig =
  & Required<Omit<BuildOptions, "sourceMap" | "target">>
  & Pick<BuildOptions, "sourceMap" | "target">
  & { mode: "development" | "production"; buildId: string };

const TESTS = /[._]test\.(?:tsx?|jsx?|mts|cts|mjs|cjs)$/;
const CLIENT = ["boot", "signals", "slots"];

interface IslandFile {
  name: string;
  path: string;
  module: Record<string, unknown>;
  exports: string[];
}

/**
 * Builds a site: finds its routes and islands, bundles the browser's scripts, hashes its static
 * files.
 *
 * @example
 * ```ts
 * const builder = new Builder();
 * if (Deno.args.includes("build")) await builder.build();
 * else await builder.listen(() => import("./main.ts"));
 * ```
 */
// deno-lint-ignore no-explicit-any
export class Builder<State = any> {
  config: ResolvedBuildConfig;
  #islands = new Set<string>();

  constructor(options: BuildOptions = {}) {
    const root = absolute(options.root ?? ".", Deno.cwd());
    this.config = {
      target: options.target,
      root,
      serverEntry: absolute(options.serverEntry ?? "main.ts", root),
      outDir: absolute(options.outDir ?? "_fresh", root),
      staticDir: absolute(options.staticDir ?? "static", root),
      islandDir: absolute(options.islandDir ?? "islands", root),
      routeDir: absolute(options.routeDir ?? "routes", root),
      ignore: options.ignore ?? [TESTS],
      sourceMap: options.sourceMap,
      mode: "production",
      buildId: "",
    };
  }

  /** Adds an island module from outside the island folder. */
  registerIsland(specifier: string): void {
    this.#islands.add(specifier);
  }

  /** Serves the site for development: built in memory, reloaded by the browser after a restart. */
  async listen(
    importApp: () => Promise<{ app: App<State> } | App<State>>,
    options: ListenOptions = {},
  ): Promise<void> {
    const apply = await this.build({ mode: "development", snapshot: "memory" });
    const imported = await importApp();
    const app = imported instanceof App ? imported : imported.app;
    apply(app);
    const handler = app.handler();
    const outer = new App<State>({ mode: "development" })
      .use(liveReload())
      .all("*", (ctx) => handler(ctx.req, ctx.info));
    await outer.listen(options);
  }

  /**
   * Builds to disk (`_fresh/server.js` for `deno serve`) or into memory.
   *
   * @returns A function that gives the build to an app, for tests
   */
  async build(
    options: {
      mode?: ResolvedBuildConfig["mode"];
      snapshot?: "disk" | "memory";
    } = {},
  ): Promise<(app: App<State>) => void> {
    const { config } = this;
    config.mode = options.mode ?? "production";
    const found = await crawl(config);
    const islands = await this.#islandFiles(found);
    const scripts = await this.#bundle(islands);
    const files = await staticRecords(config.staticDir);
    config.buildId = await hashOf(new TextEncoder().encode(
      JSON.stringify([[...scripts], [...files].map(([path, { hash }]) => [path, hash])]),
    ));
    for (const [name, code] of scripts) {
      scripts.set(name, code.replaceAll("__FRSH_BUILD_KEY__", config.buildId));
    }
    const build = {
      root: config.root,
      key: config.buildId,
      reload: config.mode === "development",
      islands: islands.flatMap(({ name, module, exports }) =>
        exports.map((exportName): Build<State>["islands"][number] => [
          name,
          exportName === "default" ? name : `${name}_${exportName}`,
          exportName,
          module,
        ])
      ),
    };
    if (options.snapshot !== "memory") {
      await this.#write(build, found, islands, scripts, files);
    }

    const routes: [string, RouteModule<State>][] = [];
    for (const [path, file] of found.routes) {
      routes.push([path, await import(fileUrl(file))]);
    }
    const snapshot = snapshotOf({ ...build, routes, files: [...files] });
    for (const [name, code] of scripts) {
      const bytes = new TextEncoder().encode(code);
      const path = `/_fresh/js/${config.buildId}/${name}`;
      snapshot.files.set(path, fileInMemory(name, bytes, await hashOf(bytes)));
    }
    return (app) => {
      app.config.mode = config.mode;
      applySnapshot(app, snapshot);
    };
  }

  async #islandFiles(found: Crawl): Promise<IslandFile[]> {
    const names = new Set<string>();
    const specifiers = [...found.islands.map(fileUrl), ...this.#islands].map((specifier) =>
      /^(?:\/|\.\.?\/)/.test(specifier) ? fileUrl(absolute(specifier, this.config.root)) : specifier
    );
    return await Promise.all([...new Set(specifiers)].map(async (path) => {
      const base = componentName(path);
      let name = base;
      for (let i = 1; names.has(name); i++) name = `${base}_${i}`;
      names.add(name);
      const module: Record<string, unknown> = await import(path);
      const exports = Object.keys(module).filter((key) => typeof module[key] === "function");
      return { name, path, module, exports };
    }));
  }

  #bundle(islands: IslandFile[]): Promise<Map<string, string>> {
    const entries = new Map<string, string>();
    const client = this.config.mode === "development" ? [...CLIENT, "reload"] : CLIENT;
    for (const name of client) {
      const address = new URL(`../client/${name}.ts`, import.meta.url).href;
      entries.set(`fresh-${name}`, `export * from ${JSON.stringify(address)};`);
    }
    for (const { name, path, exports } of islands) {
      entries.set(
        name,
        `export { ${exports.join(", ")} } from ${JSON.stringify(path)};`,
      );
    }
    const kind = this.config.sourceMap?.kind;
    return bundle({
      root: this.config.root,
      entries,
      minify: this.config.mode === "production",
      sourceMap: kind === true ? "linked" : kind || undefined,
      target: this.config.target,
    });
  }

  async #write(
    build: Omit<Build<State>, "routes" | "files">,
    found: Crawl,
    islands: IslandFile[],
    scripts: Map<string, string>,
    files: Map<string, ServerFile>,
  ): Promise<void> {
    const { config } = this;
    // The whole folder, so that no older build's files pile up.
    await Deno.remove(config.outDir, { recursive: true }).catch(() => {});
    const folder = `${config.outDir}/static/_fresh/js/${config.buildId}`;
    await Deno.mkdir(folder, { recursive: true });
    const all = new Map(files);
    for (const [name, code] of scripts) {
      const bytes = new TextEncoder().encode(code);
      await Deno.writeFile(`${folder}/${name}`, bytes);
      all.set(`/_fresh/js/${config.buildId}/${name}`, {
        path: `${folder}/${name}`,
        hash: await hashOf(bytes),
        contentType: contentType(name),
        size: bytes.length,
      });
    }
    await Deno.writeTextFile(
      `${config.outDir}/server.js`,
      serverModule({
        config,
        build,
        routes: found.routes,
        islands,
        files: all,
      }),
    );
  }
}

function componentName(path: string): string {
  const file = decodeURIComponent(path.slice(path.lastIndexOf("/") + 1))
    .replace(/\.\w+$/, "");
  const name = file.replace(/[^\w$]+(\w)?/g, (_, next = "") => next.toUpperCase());
  return (/^\d/.test(name) ? "_" : "") + name.charAt(0).toUpperCase() +
    name.slice(1);
}

function absolute(path: string, root: string): string {
  if (path.startsWith("file://")) {
    path = decodeURIComponent(new URL(path).pathname);
  }
  const whole = path.startsWith("/") ? path : `${root}/${path}`;
  return decodeURIComponent(new URL(`file://${whole}`).pathname).replace(/(.)\/$/, "$1");
}

function fileUrl(path: string): string {
  if (path.startsWith("file:")) return path;
  return new URL(`file://${path.split("/").map(encodeURIComponent).join("/")}`)
    .href;
}
