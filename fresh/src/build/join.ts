/** Joins the scripts that the bundler wrote to fewer ones, with the bundler itself. */

import { gzipSync } from "node:zlib";
import { type Chunk, filesOf } from "./chunks.ts";

/** Texts by file name. */
type Files = ReadonlyMap<string, string>;

/** An import of a script by another: the names between its braces, and the script's. */
const IMPORT = /\bimport\s*(?:\{([^}]*)\}\s*from\s*)?"\.\/([^"]+)"/g;
const DYNAMIC = /\bimport\("\.\/([^"]+)"\)/g;
const HAS_DEFAULT = /\bexport\s*(?:default\b|\{[^}]*\bas default\b)/;
/** A placeholder for the folder of the new scripts, which do not exist yet. */
const NEW = "/joined/";

/** Returns all scripts that load before one runs, without it. */
export function importsOf(name: string, scripts: Files): string[] {
  const all = new Set([name]);
  for (const one of all) for (const other of ownImports(one, scripts)) all.add(other);
  all.delete(name);
  return [...all];
}

const ownImports = (name: string, scripts: Files): string[] =>
  [...scripts.get(name)!.matchAll(IMPORT)].map(([, , other]) => other)
    .filter((other) => scripts.has(other));

/**
 * Joins scripts whose code is mostly loaded together.
 *
 * @param options.entries the names of the scripts that pages import
 * @param options.pages the entries that each page may load
 * @param bundle bundles some of the files, and returns the scripts
 * @returns the new scripts, and the name of the one that contains each old one
 */
export async function joinScripts(
  scripts: Files,
  { entries, pages }: {
    entries: ReadonlySet<string>;
    pages: readonly (readonly string[])[];
  },
  bundle: (files: Files, names: string[], flags: string[]) => Promise<Map<string, string>>,
): Promise<{ scripts: Map<string, string>; files: Map<string, string> }> {
  const chunks = chunksOf(scripts, entries);
  // A page for each script that is loaded on demand, which the page's other scripts precede.
  const common = [...entries].filter((name) => pages.every((page) => page.includes(name)));
  const onDemand = [...chunks].filter(([, { kind }]) => kind === "dynamic")
    .map(([name]) => [...common, name]);
  const groups = filesOf(chunks, [...pages, ...onDemand]);

  const files = new Map<string, string>();
  for (const group of groups) {
    const named = [...common, ...group.filter((name) => chunks.get(name)!.kind !== "shared")];
    const file = named.find((name) => group.includes(name)) ?? group[0];
    for (const name of group) files.set(name, file);
  }
  const texts = new Map<string, string>();
  const used = new Map<string, Set<string>>();
  for (const [name, code] of scripts) texts.set(partOf(name), pointed(name, code));
  for (const group of groups) texts.set(files.get(group[0])!, group.map(exported).join(""));
  const written = await bundle(texts, [...new Set(files.values())], [`--external=${NEW}*`]);
  for (const [name, code] of written) written.set(name, code.replaceAll(`"${NEW}`, '"./'));
  return { scripts: written, files };

  /** Points a script's imports to the new scripts, apart from those of the same one. */
  function pointed(name: string, code: string): string {
    return code
      .replace(IMPORT, (text, names: string | undefined, from: string) => {
        const file = files.get(from);
        if (file === undefined) return text;
        const own = file === files.get(name);
        const source = JSON.stringify(own ? `./${partOf(from)}` : NEW + file);
        if (names === undefined) return `import${source}`;
        if (own || chunks.get(from)!.kind !== "shared") return `import{${names}}from${source}`;
        const renamed = names.split(",").map((each) => {
          const [theirs, ours = theirs] = each.trim().split(/\s+as\s+/);
          used.set(from, (used.get(from) ?? new Set()).add(theirs));
          return `${publicName(from, theirs)} as ${ours}`;
        });
        return `import{${renamed}}from${source}`;
      })
      .replace(DYNAMIC, (text, from: string) => {
        const file = files.get(from);
        return file === undefined ? text : `import(${JSON.stringify(NEW + file)})`;
      });
  }

  /** Exports from a new script what others import of an old one, and all that an entry exports. */
  function exported(name: string): string {
    const source = JSON.stringify(`./${partOf(name)}`);
    if (chunks.get(name)!.kind !== "shared") {
      const all = `export*from${source};`;
      return HAS_DEFAULT.test(scripts.get(name)!) ? `${all}export{default}from${source};` : all;
    }
    const names = [...used.get(name) ?? []].map((own) => `${own} as ${publicName(name, own)}`);
    return names.length === 0 ? `import${source};` : `export{${names}}from${source};`;
  }

  /** The bundler chose the names in shared scripts, and two of them may have chosen the same. */
  function publicName(script: string, name: string): string {
    return `$${[...scripts.keys()].indexOf(script)}${name}`;
  }
}

const partOf = (name: string) => `part-${name}`;

function chunksOf(scripts: Files, entries: ReadonlySet<string>): Map<string, Chunk> {
  const dynamic = new Set(
    [...scripts.values()].flatMap((code) => [...code.matchAll(DYNAMIC)].map(([, name]) => name)),
  );
  return new Map([...scripts].map(([name, code]) => [name, {
    imports: ownImports(name, scripts),
    size: gzipSync(code).length,
    kind: entries.has(name) ? "entry" : dynamic.has(name) ? "dynamic" : "shared",
  }]));
}
