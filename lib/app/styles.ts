import type { Builder } from "fresh/dev";
import { basename } from "node:path";
import { denoBundle } from "../platform/deno_bundle.ts";
import { forOlderBrowsers } from "../platform/older_browsers.ts";

/**
 * Makes the build combine each page's stylesheet (`static/styles/pages/`) with its imports, minify the
 * result, and add what older browsers need, so that a page loads one stylesheet. In development, browsers
 * follow the imports.
 *
 * @param root the site's folder
 */
export function joinStyles(builder: Builder, root: string): void {
  let all: Promise<Map<string, string>> | undefined;
  builder.onTransformStaticFile(
    { pluginName: "styles", filter: /\/static\/styles\/pages\/[^/]+\.css$/ },
    async ({ path, mode }) => {
      if (mode !== "production") return;
      all ??= pagesOf(root).then((paths) => joinedStyles(paths, root));
      return { content: (await all).get(path)! };
    },
  );
}

async function pagesOf(root: string): Promise<string[]> {
  const folder = `${root}/static/styles/pages`;
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
