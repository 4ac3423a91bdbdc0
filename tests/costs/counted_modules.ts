/** Replaces modules by copies that count their costly calls, such as hashes. */
import { pathToFileURL } from "node:url";
import importMap from "../../import_map.json" with { type: "json" };

const ROOT = new URL("../../", import.meta.url).pathname;
const urlOf = (path: string) => pathToFileURL(ROOT + path).href;

/**
 * The functions that are counted, by their module: a file, a package or a module of Node. Each kind of work
 * goes through one of them. Those of WebCrypto are counted in `meter.ts`.
 */
export const COUNTED: Record<string, Record<string, string>> = {
  "node:crypto": { createHash: "hashes", createHmac: "MACs", hkdfSync: "derivations" },
  "@noble/hashes/sha2.js": { sha256: "hashes" },
  "uqr": { encode: "QR codes" },
  "lib/features/standard/render.ts": { renderMarkdown: "renderings" },
  "lib/platform/http/compression.ts": { compress: "compressions", compressOnce: "compressions" },
  "lib/platform/http/nonce_template.ts": { brotliTemplate: "compressions" },
};

/**
 * Writes modules that count these functions and export everything else as it is, and an import map that
 * replaces the real ones with them.
 *
 * @param folder for these files
 * @returns the path of the import map
 */
export async function writeCountedModules(folder: string): Promise<string> {
  const imports: Record<string, string> = { ...importMap.imports };
  const scopes: Record<string, Record<string, string>> = {};
  for (const [i, [module, functions]] of Object.entries(COUNTED).entries()) {
    const isFile = module.endsWith(".ts");
    const name = isFile ? urlOf(module) : module;
    const path = `${folder}/counted_${i}.ts`;
    await Deno.writeTextFile(path, sourceOf(name, functions));
    const { href } = pathToFileURL(path);
    scopes[href] = { [name]: resolved(name) };
    imports[name] = href;
  }
  const path = `${folder}/import_map.json`;
  await Deno.writeTextFile(path, JSON.stringify({ imports, scopes }));
  return path;
}

/** Returns what an import means without the counted modules. */
function resolved(name: string): string {
  const own = Object.entries(importMap.imports).find(([key]) =>
    key.endsWith("/") ? name.startsWith(key) : name === key
  );
  return own === undefined ? name : name.replace(own[0], own[1]);
}

const sourceOf = (module: string, functions: Record<string, string>): string =>
  [
    `import * as real from ${JSON.stringify(module)};`,
    `import { counted } from ${JSON.stringify(urlOf("tests/costs/meter.ts"))};`,
    `export * from ${JSON.stringify(module)};`,
    ...Object.entries(functions).map(([name, what]) =>
      `export const ${name} = counted(${JSON.stringify(what)}, real.${name});`
    ),
  ].join("\n");
