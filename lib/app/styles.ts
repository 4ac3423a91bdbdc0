/** The build step for stylesheets. */
import type { Builder } from "fresh/dev";
import { basename, dirname } from "node:path";
import { type PageModules, pageModules } from "./page_modules.ts";
import { classesIn, keepClasses, keepOrganisation, wordsIn } from "./used_styles.ts";
import { denoBundle } from "../platform/deno_bundle.ts";
import { forOlderBrowsers } from "../platform/older_browsers.ts";

/**
 * Makes the build combine stylesheets with their imports, minify them, leave out what their pages cannot
 * use, and add what older browsers need. A page loads two: one that it shares with all pages of the
 * organisation (`static/styles/shared/`), and its own (`static/styles/pages/`). In development, browsers
 * follow the imports.
 *
 * @param root the site's folder
 */
export function joinStyles(builder: Builder, root: string): void {
  const joined = new Map<string, Promise<Map<string, string>>>();
  let modules: PageModules | undefined;
  const words = new Map<string, Set<string>>();
  builder.onTransformStaticFile(
    { pluginName: "styles", filter: /\/static\/styles\/(pages|shared)\/[^/]+\.css$/ },
    async ({ path, mode }) => {
      if (mode !== "production") return;
      const folder = dirname(path);
      if (!joined.has(folder)) {
        joined.set(folder, sheetsIn(folder).then((paths) => joinedStyles(paths, root)));
      }
      const css = (await joined.get(folder)!).get(path)!;
      const name = basename(path, ".css");
      if (folder.endsWith("/shared")) return { content: keepOrganisation(css, name) };
      modules ??= pageModules(root);
      const paths = modules(name);
      for (const path of paths) {
        if (!words.has(path)) words.set(path, wordsIn(await Deno.readTextFile(path)));
      }
      const used = keepClasses(css, classesIn(paths.map((path) => words.get(path)!)));
      // As in `commercial_home`: the pages are only on that organisation's sites.
      const [, organisation] = /^(commercial|foundation)_/.exec(name) ?? [];
      return { content: organisation === undefined ? used : keepOrganisation(used, organisation) };
    },
  );
}

async function sheetsIn(folder: string): Promise<string[]> {
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  return names.filter((name) => name.endsWith(".css")).map((name) => `${folder}/${name}`);
}

/**
 * Returns stylesheets with their imports, minified and for older browsers too, by their paths. One process bundles all of them, because
 * starting it takes most of the time. Absolute paths in `url()` are not resolved, because they are the URLs of
 * static files.
 *
 * @param paths in one folder
 * @param root the site's folder
 */
export async function joinedStyles(
  paths: readonly string[],
  root: string,
): Promise<Map<string, string>> {
  const staticFolder = `${root}/static`;
  const external: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(staticFolder)) {
    external.push(`--external=/${name}${isDirectory ? "/*" : ""}`);
  }
  const folder = await Deno.makeTempDir({ prefix: "styles-" });
  try {
    await denoBundle(["--no-lock", ...external, `--outdir=${folder}`, ...paths]);
    const joined = new Map<string, string>();
    for (const path of paths) {
      const sheet = await Deno.readTextFile(`${folder}/${basename(path)}`);
      joined.set(path, forOlderBrowsers(sheet.trimEnd()));
    }
    return joined;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
