/**
 * Bundles the scripts for the browser with `deno bundle`: it resolves imports as Deno does (import
 * map, npm, links), splits shared code, and needs no installation. It runs as a command with its
 * own configuration, because JSX is precompiled to HTML for the server but not for the browser.
 */

import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Scripts } from "../assets.ts";
import { filesBelow } from "./files.ts";
import { importsOf, joinScripts } from "./join.ts";

export interface BundleOptions {
  root: string;
  /** Each script's source text (with file URLs as imports) by its name. */
  entries: Map<string, string>;
  minify: boolean;
  /** The entries that each page may load. */
  pages: readonly (readonly string[])[];
}

/** Scripts for the browser. */
export interface Bundle {
  /** The code of each script by file name. */
  scripts: Map<string, string>;
  /** The script of each entry. */
  entries: Scripts;
}

/** Bundles scripts. In production, the many that the bundler writes are joined to a few. */
export async function bundle(options: BundleOptions): Promise<Bundle> {
  const folder = await Deno.makeTempDir({ prefix: "fresh-bundle-" });
  try {
    const site = configFolder(options.root);
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(await clientConfig(site)));
    // A copy: the versions are the site's, and the site's own lock file stays unchanged.
    await Deno.copyFile(`${site}/deno.lock`, `${folder}/deno.lock`).catch(() => {});
    const modules = new Map(
      [...options.entries].map(([name, text]) => [`${name}.ts`, text]),
    );
    const split = await run(folder, options, modules, [...modules.keys()], ["--code-splitting"]);
    const scriptOf = (name: string) => `${name}.js`;
    const { scripts, files } = options.minify
      ? await joinScripts(split, {
        entries: new Set([...options.entries.keys()].map(scriptOf)),
        pages: options.pages.map((names) => names.map(scriptOf)),
      }, (...more) => run(folder, options, ...more))
      : { scripts: split, files: new Map<string, string>() };
    const entries = [...options.entries.keys()].map((name) => {
      const own = files.get(scriptOf(name)) ?? scriptOf(name);
      return [name, [own, ...importsOf(own, scripts)]];
    });
    return { scripts, entries: Object.fromEntries(entries) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Writes files to the folder, bundles some of them there, and returns the scripts by their names. */
async function run(
  folder: string,
  { root, minify }: BundleOptions,
  files: ReadonlyMap<string, string>,
  names: readonly string[],
  flags: readonly string[],
): Promise<Map<string, string>> {
  for (const [name, text] of files) await Deno.writeTextFile(`${folder}/${name}`, text);
  const out = await Deno.makeTempDir({ dir: folder });
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      `--config=${folder}/deno.json`,
      `--lock=${folder}/deno.lock`,
      "--platform=browser",
      "--format=esm",
      `--outdir=${out}`,
      ...minify ? ["--minify"] : [],
      ...flags,
      ...names.map((name) => `${folder}/${name}`),
    ],
    cwd: root,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`deno bundle failed:\n${new TextDecoder().decode(stderr)}`);
  const scripts = new Map<string, string>();
  for (const path of await filesBelow(out)) {
    scripts.set(basename(path), await Deno.readTextFile(path));
  }
  return scripts;
}

/** Returns the nearest folder with a `deno.json`, from the root upwards, as Deno finds it. */
function configFolder(root: string): string {
  for (let folder = root; folder !== "/"; folder = dirname(folder)) {
    if (existsSync(`${folder}/deno.json`)) return folder;
  }
  throw new Error(`No deno.json in ${root} or above it.`);
}

/** Returns the site's configuration with plain JSX and absolute paths. */
async function clientConfig(folder: string) {
  const json = JSON.parse(await Deno.readTextFile(`${folder}/deno.json`));
  const absolute = (value: string) =>
    /^\.{0,2}\//.test(value) ? new URL(value, `file://${folder}/`).href : value;
  const imports = json.imports && Object.fromEntries(
    Object.entries<string>(json.imports).map(([name, value]) => [name, absolute(value)]),
  );
  const { jsx: _, jsxPrecompileSkipElements: __, ...compilerOptions } = json.compilerOptions ?? {};
  return {
    imports,
    importMap: json.importMap && absolute(json.importMap),
    links: json.links?.map(absolute),
    unstable: json.unstable,
    compilerOptions: { ...compilerOptions, jsx: "react-jsx" },
  };
}
