/**
 * The site's production build on disk, shared by all test files. It is built again after a change of
 * the sources.
 *
 * @module
 */
import { tmpdir } from "node:os";
import { createHash } from "node:crypto";
import type { App } from "fresh";
import { Builder } from "fresh/dev";
import { freshConfig } from "../fresh.config.ts";
import { writeContactModule } from "../lib/features/contact/bundle.ts";
import { MODULE_FILE } from "../lib/features/contact/module.ts";
import { joinStyles } from "../lib/app/styles.ts";
import { HOUR_MS } from "../lib/base/time.ts";
import { bundleWorkers } from "../lib/app/workers.ts";
import type { State } from "../lib/app/state.ts";

const { root } = freshConfig;
const SOURCES = ["routes", "islands", "components", "lib", "static", "fresh/src"];
const APP_MODULE = "app.js";
const FILES = ["deno.json", "deno.lock", "fresh.config.ts"];

/** A build on disk. */
export interface BuiltSite {
  folder: string;
  /** Gives an app the build, and returns its handler. */
  handlerOf(app: App<State>): Handler;
}

type Handler = ReturnType<App<State>["handler"]>;

/** Builds the site, unless it is built already. */
export async function builtSite(): Promise<BuiltSite> {
  const folder = `${tmpdir()}/site-build-${hashOf(root)}/${hashOf([...stamps()].join("\n"))}`;
  await Deno.mkdir(folder, { recursive: true });
  using lock = await Deno.open(`${folder}.lock`, { create: true, write: true });
  await lock.lock(true);
  // The build's last file.
  if (!await Deno.stat(`${folder}/${MODULE_FILE}`).then(() => true, () => false)) {
    await removeOld(`${folder}/..`);
    const builder = new Builder({ ...freshConfig, outDir: folder });
    joinStyles(builder, root);
    bundleWorkers(builder, root);
    await builder.build();
    await writeAppModule(folder);
    await writeContactModule(root, folder);
  }
  return { folder, handlerOf: await readAppModule(folder) };
}

/**
 * Writes a module that does for any app what the build's `server.js` does for the site's own app, which
 * opens the configured store. Only that file may use the parts of Fresh that give an app its build.
 */
export async function writeAppModule(folder: string): Promise<void> {
  const lines = (await Deno.readTextFile(`${folder}/server.js`)).split("\n");
  const imports = lines.filter((line) => line.startsWith("import "));
  const module = [
    ...imports.filter((line) => !line.startsWith("import { app } ")),
    "export default (app) => {",
    ...lines.filter((line) => !imports.includes(line))
      .map((line) => line.replace("export default", "return")),
    "};",
  ];
  await Deno.writeTextFile(`${folder}/${APP_MODULE}`, module.join("\n"));
}

/** Imports the module that {@linkcode writeAppModule} wrote. */
export async function readAppModule(folder: string): Promise<BuiltSite["handlerOf"]> {
  const { default: serve }: { default: (app: App<State>) => { fetch: Handler } } = await import(
    `${folder}/${APP_MODULE}`
  );
  return (app) => serve(app).fetch;
}

const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 16);

/** Yields the path, size and time of every file that the build depends on. */
function* stamps(): Generator<string> {
  for (const path of SOURCES) yield* stampsBelow(`${root}/${path}`);
  for (const path of FILES) yield stampOf(`${root}/${path}`);
}

function* stampsBelow(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* stampsBelow(path);
    else if (!/_test\.tsx?$/.test(name)) yield stampOf(path);
  }
}

function stampOf(path: string): string {
  const { size, mtime } = Deno.statSync(path);
  return `${path} ${size} ${mtime!.getTime()}`;
}

/** Removes builds that no test can still be using. */
async function removeOld(folder: string): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    const { mtime } = await Deno.stat(`${folder}/${name}`);
    if (mtime!.getTime() > Date.now() - HOUR_MS) continue;
    await Deno.remove(`${folder}/${name}`, { recursive: true });
  }
}
