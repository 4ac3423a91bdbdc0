/** Loads the repository in the TypeScript compiler, with types as Deno resolves them. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The repository's root, with a slash at its end. */
export const ROOT = new URL("../..", import.meta.url).pathname;

/** The files and folders that Deno leaves out of every command. */
const EXCLUDED: readonly string[] = JSON.parse(Deno.readTextFileSync(`${ROOT}deno.json`)).exclude
  .map((path: string) => join(ROOT, path));

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"].map((name) => `lib.${name}.d.ts`),
  types: [],
  jsx: ts.JsxEmit.ReactJSX,
  jsxImportSource: "preact",
  strict: true,
  noEmit: true,
};

/** The contents of the lock file, in a folder where TypeScript finds the types. */
interface Packages extends Disposable {
  /** It has the npm packages in `node_modules`. */
  folder: string;
  /** The target that Deno imports for a specifier: a path, or `npm:` or `node:` with a name. */
  targets: ReadonlyMap<string, string>;
  /** The files that were parsed, by their paths, for further programs. */
  parsed: Map<string, ts.SourceFile | undefined>;
}

interface DenoConfig {
  imports: Record<string, string>;
  links?: string[];
  unstable?: string[];
}

/** A part of the output of `deno info --json`. */
interface ModuleGraph {
  modules: {
    specifier: string;
    /** The path of the file, or of its copy in Deno's cache. */
    local?: string;
    dependencies?: { specifier: string; code?: Resolved; type?: Resolved }[];
  }[];
  redirects: Record<string, string>;
}

interface Resolved {
  specifier?: string;
}

/**
 * Installs the packages of the lock file. They are linked to Deno's cache, so this takes neither time nor
 * space once they are there.
 *
 * @throws {Error} with Deno's output if it fails
 */
export async function installPackages(): Promise<Packages> {
  const { denoDir } = JSON.parse(await deno("info", "--json"));
  // Links do not reach other file systems.
  const folder = await Deno.makeTempDir({ dir: denoDir, prefix: "check-promises-" });
  try {
    await Deno.copyFile(`${ROOT}dev.lock`, join(folder, "deno.lock"));
    const config = join(folder, "deno.json");
    // Deno installs only what the configuration itself imports.
    const { links: relative, unstable } = readJson("deno.json");
    const links = relative?.map((path) => join(ROOT, path));
    const { imports } = readJson("import_map.json");
    await Deno.writeTextFile(config, JSON.stringify({ imports, links, unstable }));
    await deno("install", "--quiet", "--frozen", "--node-modules-dir=auto", "--config", config);
    await Deno.writeTextFile(join(folder, "deno.d.ts"), await deno("types"));
    const targets = await importTargets(folder);
    return {
      folder,
      targets,
      parsed: new Map(),
      [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
    };
  } catch (error) {
    await Deno.remove(folder, { recursive: true });
    throw error;
  }
}

/**
 * Asks Deno what it imports for each specifier that is not relative. Files of JSR packages that are not
 * linked are copied to the folder, because they have other names in Deno's cache.
 */
async function importTargets(folder: string): Promise<Map<string, string>> {
  const info = await deno("info", "--json", "--frozen", "--lock=dev.lock", "dev.ts");
  const { modules, redirects }: ModuleGraph = JSON.parse(info);
  const pathOf = (url: string) =>
    url.startsWith("file:") ? fileURLToPath(url) : join(folder, "jsr", new URL(url).pathname);
  const targets = new Map<string, string>();
  for (const { specifier, local, dependencies = [] } of modules) {
    if (/^https?:/.test(specifier)) {
      await Deno.mkdir(dirname(pathOf(specifier)), { recursive: true });
      await Deno.copyFile(local!, pathOf(specifier));
    }
    for (const { specifier: name, code, type } of dependencies) {
      const resolved = (code ?? type)?.specifier;
      if (resolved === undefined || /^[./]/.test(name)) continue;
      const target = redirects[resolved] ?? resolved;
      targets.set(name, /^(file|https?):/.test(target) ? pathOf(target) : target);
    }
  }
  return targets;
}

async function deno(...args: string[]): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), { args, cwd: ROOT, env: { NO_COLOR: "1" } });
  const { success, stdout, stderr } = await command.output();
  if (!success) throw new Error(`deno ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

/** Yields the paths of all sources, apart from those that Deno does not check. */
export function* sourceFiles(folder = ROOT): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (/^(\.|node_modules$)/.test(name) || EXCLUDED.includes(path)) continue;
    if (isDirectory) yield* sourceFiles(path);
    else if (/\.tsx?$/.test(name)) yield path;
  }
}

/**
 * Creates a TypeScript program of Deno sources. Its types are those of `deno check`, so it is only good
 * for questions about them: type errors are not reported.
 *
 * @param given the texts of files that do not exist, by their paths
 * @throws {Error} if a package is not found, because its values would have the type `any`
 */
export function createProgram(
  files: readonly string[],
  packages: Packages,
  given: ReadonlyMap<string, string> = new Map(),
): ts.Program {
  const host = ts.createCompilerHost(OPTIONS, true);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => given.has(path) || fileExists(path);
  host.readFile = (path) => given.get(path) ?? readFile(path);
  host.getSourceFile = (path, ...rest) => {
    const text = given.get(path);
    if (text !== undefined) {
      return ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
    }
    const { parsed } = packages;
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, ...rest));
    return parsed.get(path);
  };

  const { imports } = readJson("import_map.json");
  const cache = ts.createModuleResolutionCache(ROOT, (path) => path, OPTIONS);
  const missing = new Set<string>();
  const resolve = (specifier: string, from: string) =>
    ts.resolveModuleName(specifier, from, OPTIONS, host, cache);

  function resolveAsDeno(specifier: string, from: string) {
    const mapped = packages.targets.get(specifier) ?? mappedBy(imports, specifier);
    const own = mapped.startsWith(".");
    const result = resolve(withoutVersion(mapped), own ? from : join(packages.folder, "main.ts"));
    // Node's modules are declared by name. Own files are those of other types, and the build.
    const found = result.resolvedModule !== undefined || own || mapped.startsWith("node:");
    if (!found && from.startsWith(ROOT)) missing.add(`${specifier} in ${from}`);
    return result;
  }

  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) =>
      from.includes("/node_modules/") ? resolve(text, from) : resolveAsDeno(text, from)
    );
  const node = join(packages.folder, "node_modules/.deno/node_modules/@types/node/index.d.ts");
  const declarations = [join(packages.folder, "deno.d.ts"), node];
  const program = ts.createProgram([...declarations, ...files], OPTIONS, host);
  if (missing.size > 0) throw new Error(`Imports are not found: ${[...missing].join(", ")}`);
  return program;
}

const readJson = (path: string): DenoConfig => JSON.parse(Deno.readTextFileSync(ROOT + path));

function mappedBy(imports: Record<string, string>, specifier: string): string {
  for (const [name, target] of Object.entries(imports)) {
    if (specifier === name) return target;
    if (name.endsWith("/") && specifier.startsWith(name)) {
      return target + specifier.slice(name.length);
    }
  }
  return specifier;
}

/** Turns `npm:/@scope/name@^1.0.0/path` into `@scope/name/path`. */
const withoutVersion = (specifier: string): string =>
  specifier.replace(/^npm:\/?((?:@[^/]+\/)?[^@/]+)(?:@[^/]*)?/, "$1");
