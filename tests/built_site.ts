/**
 * The site's production build on disk, which all test files of a run share.
 *
 * @module
 */
import type { App } from "fresh";
import { Builder } from "fresh/dev";
import { freshConfig } from "../fresh.config.ts";
import { writeContactModule } from "../lib/features/contact/bundle.ts";
import { MODULE_FILE } from "../lib/features/contact/module.ts";
import { joinStyles } from "../lib/app/styles.ts";
import { bundleWorkers } from "../lib/app/workers.ts";
import type { State } from "../lib/app/state.ts";
import { runFolder } from "./run_folder.ts";

const { root } = freshConfig;
const APP_MODULE = "app.js";

/** A build on disk. */
export interface BuiltSite {
  folder: string;
  /** Gives an app the build, and returns its handler. */
  handlerOf(app: App<State>): Handler;
}

type Handler = ReturnType<App<State>["handler"]>;

/** Builds the site, unless it was built in this run of the tests. */
export async function builtSite(): Promise<BuiltSite> {
  const folder = `${runFolder()}/site`;
  await Deno.mkdir(folder, { recursive: true });
  using lock = await Deno.open(`${folder}.lock`, { create: true, write: true });
  await lock.lock(true);
  // The build's last file.
  if (!await Deno.stat(`${folder}/${MODULE_FILE}`).then(() => true, () => false)) {
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
async function writeAppModule(folder: string): Promise<void> {
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
async function readAppModule(folder: string): Promise<BuiltSite["handlerOf"]> {
  const { default: serve }: { default: (app: App<State>) => { fetch: Handler } } = await import(
    `${folder}/${APP_MODULE}`
  );
  return (app) => serve(app).fetch;
}
