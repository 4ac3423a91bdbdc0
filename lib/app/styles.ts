import type { Builder } from "fresh/dev";
import { denoBundle } from "../platform/deno_bundle.ts";

/**
 * Makes the build combine each page's stylesheet (`static/styles/pages/`) with its imports and minify
 * the result, so that a page loads one stylesheet. In development, browsers follow the imports.
 *
 * @param root the site's folder
 */
export function joinStyles(builder: Builder, root: string): void {
  builder.onTransformStaticFile(
    { pluginName: "styles", filter: /\/static\/styles\/pages\/[^/]+\.css$/ },
    async ({ path, mode }) => {
      if (mode === "production") return { content: await joinedStyles(path, root) };
    },
  );
}

/**
 * Returns a stylesheet with its imports, minified. Absolute paths in `url()` are not resolved, because
 * they are the URLs of static files.
 *
 * @param root the site's folder
 */
export async function joinedStyles(path: string, root: string): Promise<string> {
  const staticFolder = `${root}/static`;
  const external: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(staticFolder)) {
    external.push(`--external=/${name}${isDirectory ? "/*" : ""}`);
  }
  return await denoBundle(["--no-lock", ...external, path]);
}
