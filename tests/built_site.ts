/**
 * The site's production build on disk, shared by all test files. It is built again after a change of
 * the sources.
 *
 * @module
 */
import { tmpdir } from "node:os";
import { createHash } from "node:crypto";
import { Builder } from "fresh/dev";
import { applyDiskBuild, type DiskBuild } from "../fresh/src/internal.ts";
import { freshConfig } from "../fresh.config.ts";
import { writeContactModule } from "../lib/features/contact/bundle.ts";
import { MODULE_FILE } from "../lib/features/contact/module.ts";
import type { State } from "../lib/app/state.ts";
import { joinStyles } from "../lib/app/styles.ts";
import { HOUR_MS } from "../lib/base/time.ts";
import { bundleWorkers } from "../lib/app/workers.ts";
import type { createApp } from "../main.ts";

const { root } = freshConfig;
const SOURCES = ["routes", "islands", "components", "lib", "static", "fresh/src"];
const FILES = ["deno.json", "deno.lock", "fresh.config.ts"];

/** A build on disk. */
export interface BuiltSite {
  folder: string;
  apply(app: ReturnType<typeof createApp>): void;
}

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
    await writeContactModule(root, folder);
  }
  const { default: build }: { default: DiskBuild<State> } = await import(`${folder}/snapshot.js`);
  return { folder, apply: (app) => applyDiskBuild(app, build) };
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
