/**
 * The site's production build on disk, which all test files of a run share.
 *
 * @module
 */
import { Builder } from "fresh/dev";
import { applyDiskBuild, type DiskBuild } from "../fresh/src/internal.ts";
import { freshConfig } from "../fresh.config.ts";
import { writeContactModule } from "../lib/features/contact/bundle.ts";
import { MODULE_FILE } from "../lib/features/contact/module.ts";
import type { State } from "../lib/app/state.ts";
import { joinStyles } from "../lib/app/styles.ts";
import { bundleWorkers } from "../lib/app/workers.ts";
import type { createApp } from "../main.ts";
import { runFolder } from "./run_folder.ts";

const { root } = freshConfig;

/** A build on disk. */
export interface BuiltSite {
  folder: string;
  apply(app: ReturnType<typeof createApp>): void;
}

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
    await writeContactModule(root, folder);
  }
  const { default: build }: { default: DiskBuild<State> } = await import(`${folder}/snapshot.js`);
  return { folder, apply: (app) => applyDiskBuild(app, build) };
}
