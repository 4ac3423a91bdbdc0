/**
 * Makes the one script of the contact module for other pages, by `deno bundle`. It runs as a command
 * with a configuration of its own, because the server's JSX is precompiled to strings and the
 * browser's must not be. For the build and for tests; a server that runs never bundles.
 */

import { MODULE_FILE } from "./module.ts";

/** What the module imports of the site's import map. */
const IMPORTS = ["preact", "preact/hooks", "preact/jsx-runtime", "uqr"];

/**
 * Bundles the module with everything that it needs.
 *
 * @param root the site's folder, where `deno.json` is
 * @returns the script's text, minified, as one function that is called
 */
export async function bundleContactModule(root: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "contact-form-" });
  try {
    const { imports } = JSON.parse(await Deno.readTextFile(`${root}/deno.json`));
    const config = {
      imports: Object.fromEntries(IMPORTS.map((name) => [name, imports[name]])),
      unstable: ["bundle"],
      compilerOptions: { jsx: "react-jsx", jsxImportSource: "preact" },
    };
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config));
    // A copy, so that versions are the site's and the site's own file stays as it is.
    await Deno.copyFile(`${root}/deno.lock`, `${folder}/deno.lock`);
    return await run(root, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Bundles the module into a build's folder, where `readContactModule` finds it. */
export async function writeContactModule(root: string, folder: string): Promise<void> {
  const code = await bundleContactModule(root);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/${MODULE_FILE}`, code);
}

async function run(root: string, folder: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      `--config=${folder}/deno.json`,
      `--lock=${folder}/deno.lock`,
      "--platform=browser",
      "--format=iife",
      "--minify",
      `${root}/components/contact_form/embed.ts`,
    ],
    cwd: root,
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`deno bundle failed:\n${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}
