/**
 * Writes both lock files: `dev.lock` with all packages, and `deno.lock` with those that the site needs.
 * Run it after a change of `import_map.json`, or when another file begins to import a package.
 *
 *     deno task lock
 *
 * Deno downloads everything in a lock file, even if nothing imports it. With a single one, each server
 * would download the tests' browser.
 *
 * @module
 */
import { ROOT, sourceFiles } from "./promises/program.ts";

/** Draws PDFs outside of browsers, which only tests and tools do. It takes 61 MB. */
const UNUSED = "@napi-rs/canvas";
/** The files from which the tasks that use `deno.lock` start, and those that the build bundles. */
const ENTRIES = [
  /^(dev|serve|server|tools\/healthcheck|components\/contact\/embed)\.ts$/,
  /^(islands|routes|lib\/app\/commands)\/.*(?<!_test)\.tsx?$/,
  /^lib\/features\/relay\/(main|new|check)\.ts$/,
];

interface Package {
  dependencies?: string[];
  optionalDependencies?: string[];
}

interface LockFile {
  specifiers: Record<string, string>;
  npm: Record<string, Package>;
}

/**
 * Returns a lock file with some of the packages, and with everything that they depend on.
 *
 * @param ids such as `zod@4.6.7`
 */
export function partOf<T extends LockFile>(all: T, ids: ReadonlySet<string>): T {
  /** Dependencies have a version only if the lock file has several of the package. */
  const idOf = new Map(Object.keys(all.npm).flatMap((id) => [[id, id], [nameOf(id), id]]));
  const npm: Record<string, Package> = {};
  const add = (id: string) => {
    if (id in npm) return;
    npm[id] = withoutUnused(all.npm[id]);
    for (const name of dependenciesOf(npm[id])) add(idOf.get(name)!);
  };
  ids.forEach(add);
  const versions = Object.groupBy(Object.keys(npm), nameOf);
  const written = (name: string) => versions[nameOf(name)]!.length === 1 ? nameOf(name) : name;
  for (const entry of Object.values(npm)) {
    for (const list of ["dependencies", "optionalDependencies"] as const) {
      if (entry[list] !== undefined) entry[list] = entry[list].map(written);
    }
  }
  // Packages on JSR are kept, because only the site has some: Fresh, unless it is linked.
  const specifiers = Object.entries(all.specifiers)
    .filter(([specifier, version]) =>
      specifier.startsWith("jsr:") ||
      ids.has(`${nameOf(specifier.slice("npm:".length))}@${version}`)
    );
  const sorted = Object.entries(npm).toSorted(([a], [b]) => a < b ? -1 : 1);
  return { ...all, specifiers: Object.fromEntries(specifiers), npm: Object.fromEntries(sorted) };
}

function withoutUnused({ optionalDependencies, ...entry }: Package): Package {
  const used = optionalDependencies?.filter((name) => nameOf(name) !== UNUSED) ?? [];
  return used.length === 0 ? entry : { ...entry, optionalDependencies: used };
}

const dependenciesOf = ({ dependencies = [], optionalDependencies = [] }: Package): string[] => [
  ...dependencies,
  ...optionalDependencies,
];

const nameOf = (id: string): string => id.replace(/(?<=.)@.*/, "");

/** Returns the lock file of the site, as it should be with the current sources and `dev.lock`. */
export async function siteLock(): Promise<string> {
  const entries = [...sourceFiles()].filter((path) =>
    ENTRIES.some((pattern) => pattern.test(path.slice(ROOT.length)))
  );
  for (const { name } of Deno.readDirSync(`${ROOT}static/workers`)) {
    entries.push(`${ROOT}static/workers/${name}`);
  }
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, entries.map((path) => `import "${path}";\n`).join(""));
    const options = ["--frozen", "--lock=dev.lock", `--config=${ROOT}deno.json`];
    const { modules } = JSON.parse(await deno("info", "--json", ...options, file));
    const ids = modules.flatMap(({ npmPackage }: { npmPackage?: string }) => npmPackage ?? []);
    const all = JSON.parse(await Deno.readTextFile(`${ROOT}dev.lock`));
    return JSON.stringify(partOf(all, new Set<string>(ids)), null, 2) + "\n";
  } finally {
    await Deno.remove(file);
  }
}

async function deno(...args: string[]): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), { args, cwd: ROOT, stderr: "inherit" });
  const { success, stdout } = await command.output();
  if (!success) throw new Error(`deno ${args[0]} failed`);
  return new TextDecoder().decode(stdout);
}

if (import.meta.main) {
  await deno("cache", "--quiet", "--frozen=false", "--lock=dev.lock", ...sourceFiles());
  await Deno.writeTextFile(`${ROOT}deno.lock`, await siteLock());
}
