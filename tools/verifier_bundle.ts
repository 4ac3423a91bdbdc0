/**
 * Builds the files that are published for others. For the task `verifier:build` and its test: the site serves
 * the files that are committed.
 *
 * @module
 */
import { denoBundle } from "../lib/platform/deno_bundle.ts";
import {
  LICENCES_FILE,
  TYPES_FILE,
  VERIFIER_FILE,
  VERSION,
} from "../packages/proof/release/mod.ts";

/** The comment with which `deno bundle` begins a module of a package, and its parts. */
const PACKAGE = /^\/\/ (.*\/npm\/[^/]+)\/((?:@[^/]+\/)?[^/]+)\/([^/]+)\/(.*)$/gm;

/** The name that `deno bundle` gives to a module of a package that is loaded later, with a path of this machine. */
const LATER = /"[^"\n]*\/npm\/[^/]+\/((?:@[^/]+\/)?[^/]+)\/([^/]+)\/([^"\n]*)"(?=\(\) \{)/g;

/** Where the schema library keeps its settings, which a page's own copy of it would share. */
const SHARED = /\bglobalThis(?=\)?\??\.__zod_)/g;

/**
 * Returns the files of the current version by their names. The script is one module, which is not minified, so
 * that people can read it, and the same on every machine.
 *
 * @param root the site's folder, which contains `deno.json`
 */
export async function buildVerifier(root: string): Promise<Record<string, string>> {
  const folder = `${root}/packages/proof/verify`;
  const code = await denoBundle(
    ["--frozen", `--lock=${root}/deno.lock`, `${folder}/public.ts`],
    { cwd: root, minify: false },
  );
  const packages = new Map<string, string>();
  for (const [, registry, name, version] of code.matchAll(PACKAGE)) {
    packages.set(`${name} ${version}`, `${root}/${registry}/${name}/${version}`);
  }
  const contained = await Promise.all(
    Array.from(packages, async ([name, path]) => ({
      name,
      licence: JSON.parse(await Deno.readTextFile(`${path}/package.json`)).license,
      text: await Deno.readTextFile(`${path}/LICENSE`),
    })),
  );
  contained.sort((a, b) => a.name < b.name ? -1 : 1);
  const opening = [
    "// Verifies records, documents and the public log of a publisher, without trusting it.",
    `// Version ${VERSION}. It contains these packages from the npm registry (${LICENCES_FILE}):`,
    ...contained.map(({ name, licence }) => `//   ${name} (${licence})`),
    `// @ts-self-types="./${TYPES_FILE}"`,
    "",
    "var schemaSettings = {};",
  ];
  const alone = code.replace(PACKAGE, "// npm:$2@$3/$4").replace(LATER, '"npm:$1@$2/$3"')
    .replace(SHARED, "schemaSettings");
  return {
    [VERIFIER_FILE]: `${opening.join("\n")}\n${alone}\n`,
    [TYPES_FILE]: await Deno.readTextFile(`${folder}/${TYPES_FILE}`),
    [LICENCES_FILE]: contained.map(({ name, text }) => `${name}\n\n${text.trim()}\n`).join("\n\n"),
  };
}
