/**
 * Bundles the contact module for other pages with `deno bundle`, for the build and for tests. It
 * runs as a command with its own configuration, because JSX is precompiled to strings for the
 * server, but must not be for the browser.
 *
 * @module
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { denoBundle } from "../../platform/deno_bundle.ts";
import { forOlderBrowsers } from "../../platform/older_browsers.ts";
import { MODULE_FILE } from "./module.ts";

/** The module imports them as text, which `deno bundle` does not minify. */
const STYLES = ["components/contact/styles.css", "static/styles/feed.css"];

/**
 * Bundles the module with all its dependencies.
 *
 * @param root the site's folder, which contains `deno.json`
 * @returns the minified script, wrapped in a function that is called immediately
 */
export async function bundleContactModule(root: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "contact-form-" });
  try {
    const { links = [] } = JSON.parse(await Deno.readTextFile(`${root}/deno.json`));
    const { imports } = JSON.parse(await Deno.readTextFile(`${root}/import_map.json`));
    for (const [i, name] of STYLES.entries()) {
      const path = resolve(root, name);
      const styles = await denoBundle(["--no-lock", path], { cwd: folder });
      await Deno.writeTextFile(`${folder}/${i}.css`, forOlderBrowsers(styles));
      imports[pathToFileURL(path).href] = `./${i}.css`;
    }
    await Deno.writeTextFile(`${folder}/import_map.json`, JSON.stringify({ imports }));
    const config = {
      importMap: "./import_map.json",
      // With other links than those in the lock file, Deno would resolve all packages again.
      links: links.map((path: string) => resolve(root, path)),
      unstable: ["bundle"],
      compilerOptions: { jsx: "react-jsx", jsxImportSource: "preact" },
    };
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config));
    // A copy, to use the same versions without changing the site's lock file.
    await Deno.copyFile(`${root}/deno.lock`, `${folder}/deno.lock`);
    const options = [
      "--frozen",
      `--config=${folder}/deno.json`,
      `--lock=${folder}/deno.lock`,
      "--format=iife",
    ];
    return await denoBundle([...options, `${root}/components/contact/embed.ts`], { cwd: root });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Writes the bundled module to a build folder, where `readContactModule` finds it. */
export async function writeContactModule(root: string, folder: string): Promise<void> {
  const code = await bundleContactModule(root);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/${MODULE_FILE}`, code);
}
