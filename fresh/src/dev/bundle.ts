/**
 * The browser's scripts, by `deno bundle`: it resolves as Deno does (import map, npm, links), splits
 * shared code, and is there without being installed. It runs as a command, with a configuration of
 * its own, because the server's JSX is precompiled to strings and the browser's must not be.
 */

export interface BundleOptions {
  root: string;
  /** Each script's module text (imports by file URL) by its name. */
  entries: Map<string, string>;
  minify: boolean;
  sourceMap?: "linked" | "inline" | "external";
  /** Lowers the syntax for older browsers, as esbuild's `target` says. */
  target?: string | string[];
}

/** The scripts by file name: an entry's is its name, shared chunks are named by their hash. */
export async function bundle(options: BundleOptions): Promise<Map<string, string>> {
  const folder = await Deno.makeTempDir({ prefix: "fresh-bundle-" });
  try {
    const site = await configFolder(options.root);
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(await clientConfig(site)));
    // A copy, so that versions are the site's and the site's own file stays as it is.
    await Deno.copyFile(`${site}/deno.lock`, `${folder}/deno.lock`).catch(() => {});
    for (const [name, text] of options.entries) {
      await Deno.writeTextFile(`${folder}/${name}.ts`, text);
    }
    await run(folder, options);
    return await output(`${folder}/out`, options.target);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function run(folder: string, options: BundleOptions): Promise<void> {
  const args = [
    "bundle",
    "--quiet",
    `--config=${folder}/deno.json`,
    `--lock=${folder}/deno.lock`,
    "--code-splitting",
    "--platform=browser",
    "--format=esm",
    `--outdir=${folder}/out`,
  ];
  if (options.minify) args.push("--minify");
  if (options.sourceMap !== undefined) {
    args.push(`--sourcemap=${options.sourceMap}`);
  }
  for (const name of options.entries.keys()) args.push(`${folder}/${name}.ts`);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: options.root,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) {
    throw new Error(`deno bundle failed:\n${new TextDecoder().decode(stderr)}`);
  }
}

async function output(folder: string, target?: string | string[]): Promise<Map<string, string>> {
  const scripts = new Map<string, string>();
  for await (const { name } of Deno.readDir(folder)) {
    const code = await Deno.readTextFile(`${folder}/${name}`);
    scripts.set(
      name,
      target === undefined || !name.endsWith(".js") ? code : await lower(code, target),
    );
  }
  return scripts;
}

async function lower(code: string, target: string | string[]): Promise<string> {
  const { transform } = await import("esbuild");
  return (await transform(code, { target, format: "esm", minify: true })).code;
}

/** The nearest folder with a `deno.json`, from a site's root upwards: as Deno itself looks for it. */
async function configFolder(root: string): Promise<string> {
  for (let folder = root;; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    if (folder === "") throw new Error(`No deno.json in ${root} or above it.`);
    if (await Deno.stat(`${folder}/deno.json`).then(() => true, () => false)) return folder;
  }
}

/** The site's own configuration, with plain JSX and every relative path made absolute. */
async function clientConfig(folder: string) {
  const json = JSON.parse(await Deno.readTextFile(`${folder}/deno.json`));
  const absolute = (value: string) =>
    /^\.{0,2}\//.test(value) ? new URL(value, `file://${folder}/`).href : value;
  const imports = Object.entries<string>(json.imports ?? {})
    .map(([name, value]) => [name, absolute(value)]);
  const { jsx: _, jsxPrecompileSkipElements: __, ...compilerOptions } = json.compilerOptions ?? {};
  return {
    imports: Object.fromEntries(imports),
    links: json.links?.map(absolute),
    unstable: json.unstable,
    compilerOptions: { ...compilerOptions, jsx: "react-jsx" },
  };
}
