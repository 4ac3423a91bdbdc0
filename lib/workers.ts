import type { Builder } from "fresh/dev";

/**
 * Makes the build bundle each web worker (`static/workers/`) with its imports, because browsers do
 * not find npm packages.
 *
 * @param root the site's folder
 */
export function bundleWorkers(builder: Builder, root: string): void {
  builder.onTransformStaticFile(
    { pluginName: "workers", filter: /\/static\/workers\/[^/]+\.js$/ },
    async ({ path }) => ({ content: await bundled(path, root) }),
  );
}

async function bundled(path: string, root: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      "--frozen",
      `--config=${root}/deno.json`,
      "--minify",
      "--platform=browser",
      "--format=iife",
      path,
    ],
    cwd: root,
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`deno bundle failed:\n${decoder.decode(stderr)}`);
  return decoder.decode(stdout).trimEnd();
}
