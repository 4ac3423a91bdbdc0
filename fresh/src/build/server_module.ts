import { relative } from "node:path";
import type { FileRecord } from "./files.ts";
import type { SiteModule } from "./modules.ts";

export interface ServerModuleParts {
  root: string;
  outDir: string;
  serverEntry: string;
  key: string;
  routes: SiteModule[];
  islands: SiteModule[];
  /** By URL path. */
  files: Map<string, FileRecord>;
}

/**
 * Returns the text of `_fresh/server.js`, which `deno serve` runs: it imports the app, its routes
 * and its islands statically, and lists the static files.
 */
export function serverModule(parts: ServerModuleParts): string {
  const { root, outDir, serverEntry, key, routes, islands, files } = parts;
  const from = (path: string) => JSON.stringify(relative(outDir, path));
  const imports = (prefix: string, modules: SiteModule[]) =>
    modules.map(({ path }, i) => `import * as ${prefix}${i} from ${from(path)};`);
  const list = (lines: string[]) => lines.map((line) => `    ${line},\n`).join("");
  const modules = (prefix: string, modules: SiteModule[]) =>
    list(modules.map(({ name }, i) => `[${JSON.stringify(name)}, ${prefix}${i}]`));
  const records = [...files].map(([path, record]) =>
    JSON.stringify([path, { ...record, path: relative(root, record.path) }])
  );
  return `// Written by the build.
import { serve } from "jsr:@fresh/core@^2.3.3/internal";
import * as entry from ${from(serverEntry)};
${[...imports("route", routes), ...imports("island", islands)].join("\n")}

export default serve(entry.app, {
  root: new URL(${JSON.stringify(`${relative(outDir, root)}/`)}, import.meta.url),
  key: ${JSON.stringify(key)},
  routes: [
${modules("route", routes)}  ],
  islands: [
${modules("island", islands)}  ],
  files: [
${list(records)}  ],
});
`;
}
