import type { FileRecord } from "./static.ts";

export type ServerFile = FileRecord;

export interface ServerModuleParts {
  config: { root: string; outDir: string; serverEntry: string };
  build: { key: string };
  routes: Map<string, string>;
  islands: { name: string; path: string; exports: string[] }[];
  files: Map<string, ServerFile>;
}

/** The text of `_fresh/server.js`: the app's module, its routes and islands, and its files. */
export function serverModule({ config, build, routes, islands, files }: ServerModuleParts): string {
  const toRoot = relative(config.outDir, config.root);
  const from = (path: string) =>
    JSON.stringify(
      path.startsWith("/") ? `${toRoot}/${relative(config.root, path)}` : path,
    );
  const lines = [
    "// Made by the build.",
    `import { serve } from "jsr:@fresh/core@^2.3.3/internal";`,
    `import * as entry from ${from(config.serverEntry)};`,
  ];
  const routeLines: string[] = [];
  for (const [path, file] of routes) {
    lines.push(`import * as route${routeLines.length} from ${from(file)};`);
    routeLines.push(
      `    [${JSON.stringify(path)}, route${routeLines.length}],`,
    );
  }
  const islandLines: string[] = [];
  for (const [i, { name, path, exports }] of islands.entries()) {
    const file = path.startsWith("file://") ? decodeURIComponent(new URL(path).pathname) : path;
    lines.push(`import * as island${i} from ${from(file)};`);
    for (const key of exports) {
      const full = key === "default" ? name : `${name}_${key}`;
      islandLines.push(
        `    ${JSON.stringify([name, full, key]).slice(0, -1)}, island${i}],`,
      );
    }
  }
  const fileLines = [...files].map(([path, record]) => {
    const inRoot = { ...record, path: relative(config.root, record.path) };
    return `    ${JSON.stringify([path, inRoot])},`;
  });
  return `${lines.join("\n")}

const root = decodeURIComponent(new URL("${toRoot}/", import.meta.url).pathname).slice(0, -1);

export default serve(entry, {
  root,
  key: ${JSON.stringify(build.key)},
  reload: false,
  routes: [
${routeLines.join("\n")}
  ],
  islands: [
${islandLines.join("\n")}
  ],
  files: [
${fileLines.join("\n")}
  ],
});
`;
}

/** The path that leads from one folder to another path, both absolute. */
function relative(from: string, to: string): string {
  const left = from.split("/");
  const right = to.split("/");
  let common = 0;
  while (common < left.length && left[common] === right[common]) common++;
  const parts = [...left.slice(common).map(() => ".."), ...right.slice(common)];
  return parts.join("/") || ".";
}
