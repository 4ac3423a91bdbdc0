/** What `_fresh/server.js` needs to put a build from disk in place; not for the site. */
import type { ComponentType } from "preact";
import { type App, applySnapshot } from "./app.ts";
import { fileOnDisk, type FileRecord } from "./dev/static.ts";
import { type RouteModule, routesToCommands } from "./fs_routes.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Island } from "./types.ts";

/** A build as it is written down, with its modules imported. */
export interface Build<State> {
  root: string;
  key: string;
  reload: boolean;
  routes: [path: string, module: RouteModule<State>][];
  islands: [file: string, name: string, exportName: string, module: Record<string, unknown>][];
  files: [path: string, record: FileRecord][];
}

export function scriptPath(key: string, name: string): string {
  return `/_fresh/js/${key}/${name}.js`;
}

/** Makes the snapshot that an app takes from a build. */
export function snapshotOf<State>(build: Build<State>): Snapshot<State> {
  const islands = new Map<ComponentType, Island>();
  for (const [file, name, exportName, module] of build.islands) {
    const fn = module[exportName] as ComponentType;
    islands.set(fn, {
      file: scriptPath(build.key, file),
      name,
      exportName,
      fn,
      css: [],
    });
  }
  return {
    root: build.root,
    key: build.key,
    reload: build.reload,
    commands: routesToCommands(new Map(build.routes)),
    islands,
    files: new Map(build.files.map(([path, record]) => [path, fileOnDisk(record)])),
    client: (name) => scriptPath(build.key, `fresh-${name}`),
  };
}

/** Puts a build from disk in place and gives the module's default export for `deno serve`. */
export function serve<State>(entry: { app: App<State> }, build: Build<State>): {
  fetch: (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;
} {
  const { root } = build;
  const files = build.files.map(([path, record]): [string, FileRecord] => [
    path,
    { ...record, path: `${root}/${record.path}` },
  ]);
  applySnapshot(entry.app, snapshotOf({ ...build, files }));
  return { fetch: entry.app.handler() };
}
