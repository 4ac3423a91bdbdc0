/**
 * Bundles the scripts for the browser with `deno bundle`: it resolves imports as Deno does (import
 * map, npm, links), splits shared code, and needs no installation. It runs as a command with its
 * own configuration, because JSX is precompiled to HTML for the server but not for the browser.
 */

import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { filesBelow } from "./files.ts";

export interface BundleOptions {
  root: string;
  /** Each script's source text (with file URLs as imports) by its name. */
  entries: Map<string, string>;
  minify: boolean;
}

/** Returns the scripts by file name; shared chunks are named by their hash. */
export async function bundle(options: BundleOptions): Promise<Map<string, string>> {
  const folder = await Deno.makeTempDir({ prefix: "fresh-bundle-" });
  try {
    const site = configFolder(options.root);
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(await clientConfig(site)));
    // A copy: the versions are the site's, and the site's own lock file stays unchanged.
    await Deno.copyFile(`${site}/deno.lock`, `${folder}/deno.lock`).catch(() => {});
    for (const [name, text] of options.entries) {
      await Deno.writeTextFile(`${folder}/${name}.ts`, text);
    }
    await run(folder, options);
    const scripts = new Map<string, string>();
    for (const path of await filesBelow(`${folder}/out`)) {
      scripts.set(basename(path), await Deno.readTextFile(path));
    }
    return scripts;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function run(folder: string, { root, entries, minify }: BundleOptions): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      `--config=${folder}/deno.json`,
      `--lock=${folder}/deno.lock`,
      "--code-splitting",
      "--platform=browser",
      "--format=esm",
      `--outdir=${folder}/out`,
      ...minify ? ["--minify"] : [],
      ...entries.keys().map((name) => `${folder}/${name}.ts`),
    ],
    cwd: root,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`deno bundle failed:\n${new TextDecoder().decode(stderr)}`);
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
