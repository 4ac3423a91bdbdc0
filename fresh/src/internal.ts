/** Used by `_fresh/server.js`, not by the site. */
import { fileURLToPath } from "node:url";
import { type FileRecord, staticFile } from "./assets.ts";
import type { Handler } from "./server/respond.ts";
import { type App, applyBuild, type Build } from "./server/app.ts";

/** A build on disk: the default export of `_fresh/snapshot.js`. */
interface DiskBuild<State> extends Pick<Build<State>, "key" | "routes" | "islands" | "scripts"> {
  root: URL;
  /** The files' own paths are relative to the root. */
  files: [path: string, record: FileRecord][];
}

/** Gives an app its build from disk and returns the default export that `deno serve` expects. */
export function serve<State>(
  app: App<State>,
  { root, files, ...build }: DiskBuild<State>,
): { fetch: Handler } {
  const folder = fileURLToPath(root);
  applyBuild(app, {
    ...build,
    mode: "production",
    files: files.map(([path, file]) => [path, staticFile({ ...file, path: folder + file.path })]),
  });
  return { fetch: app.handler() };
}
