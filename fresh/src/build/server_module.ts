/** Writes the modules in `_fresh/` from which a built site is served. */
import { relative } from "node:path";
import type { FileRecord, Scripts } from "../assets.ts";
import type { SiteModule } from "./modules.ts";

export interface Snapshot {
  root: string;
  outDir: string;
  key: string;
  routes: SiteModule[];
  islands: SiteModule[];
  scripts: Scripts;
  /** By URL path. */
  files: Map<string, FileRecord>;
}

/** Returns the text of `_fresh/server.js`, which `deno serve` runs. */
export function serverModule(outDir: string, serverEntry: string): string {
  return `// Written by the build.
import { serve } from "fresh/internal";
import { app } from ${JSON.stringify(relative(outDir, serverEntry))};
import build from "./snapshot.js";

export default serve(app, build);
`;
}

/**
 * Returns the text of `_fresh/snapshot.js`, which imports the routes and islands statically, and
 * lists the static files.
 */
export function snapshotModule(
  { root, outDir, key, routes, islands, scripts, files }: Snapshot,
): string {
  const modules = [...routes, ...islands];
  const imports = modules.map(({ path }, i) =>
    `import * as module${i} from ${JSON.stringify(relative(outDir, path))};\n`
  );
  const entry = (module: SiteModule) =>
    `\n    { name: ${JSON.stringify(module.name)}, exports: module${modules.indexOf(module)} },`;
  const file = ([path, record]: [string, FileRecord]) =>
    `\n    ${JSON.stringify([path, { ...record, path: relative(root, record.path) }])},`;
  return `// Written by the build.
${imports.join("")}
export default {
  root: new URL(${JSON.stringify(`${relative(outDir, root)}/`)}, import.meta.url),
  key: ${JSON.stringify(key)},
  routes: [${routes.map(entry).join("")}],
  islands: [${islands.map(entry).join("")}],
  scripts: ${JSON.stringify(scripts)},
  files: [${[...files].map(file).join("")}],
};
`;
}
