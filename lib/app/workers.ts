import type { Builder } from "fresh/dev";
import { denoBundle } from "../platform/deno_bundle.ts";
import { joinedStyles } from "./styles.ts";

/**
 * Makes the build bundle each web worker (`static/workers/`) with its imports, because browsers do
 * not find npm packages. The service worker also contains the styles of its offline page.
 *
 * @param root the site's folder
 */
export function bundleWorkers(builder: Builder, root: string): void {
  builder.onTransformStaticFile(
    { pluginName: "workers", filter: /\/static\/workers\/[^/]+\.js$/ },
    async ({ path }) => {
      const code = await bundled(path, root);
      if (!path.endsWith("/record_app.js")) return { content: code };
      const offline = `${root}/static/styles/pages/offline.css`;
      const styles = (await joinedStyles([offline], root)).get(offline)!;
      return { content: `const OFFLINE_STYLES=${JSON.stringify(styles)};${code}` };
    },
  );
}

const bundled = (path: string, root: string): Promise<string> =>
  denoBundle([
    "--frozen",
    `--lock=${root}/deno.lock`,
    `--config=${root}/deno.json`,
    "--format=iife",
    path,
  ], { cwd: root });
