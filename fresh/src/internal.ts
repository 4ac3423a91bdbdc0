/** Used by `_fresh/server.js`, not by the site. */
import { fileURLToPath } from "node:url";
import { islandsOf } from "./assets.ts";
import { fileOnDisk, type FileRecord } from "./build/files.ts";
import { type App, applyBuild } from "./server/app.ts";
import type { RouteModule } from "./server/file_routes.ts";

/** A build on disk, as `_fresh/server.js` describes it. */
export interface DiskBuild<State> {
  root: URL;
  key: string;
  routes: [path: string, module: RouteModule<State>][];
  islands: [name: string, module: Record<string, unknown>][];
  /** Paths on disk are relative to the root. */
  files: [path: string, record: FileRecord][];
}

/** Gives an app its build from disk and returns the default export that `deno serve` expects. */
export function serve<State>(
  app: App<State>,
  { root, key, routes, islands, files }: DiskBuild<State>,
): { fetch: (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> } {
  const onDisk = files.map(([path, record]) =>
    [path, fileOnDisk({ ...record, path: fileURLToPath(root) + record.path })] as const
  );
  applyBuild(app, {
    key,
    mode: "production",
    routes: new Map(routes),
    islands: islandsOf(key, islands),
    files: new Map(onDisk),
  });
  return { fetch: app.handler() };
}
