/**
 * The list of what a build contains: packages and fonts, with versions, hashes and licences, in the
 * format CycloneDX 1.6 (ECMA-424).
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { basename, join } from "node:path";
import { VERSION } from "../platform/config/release.ts";

/** A package or a font. */
export interface Component {
  type: "library" | "data";
  "bom-ref": string;
  name: string;
  version?: string;
  purl?: string;
  hashes?: { alg: "SHA-512"; content: string }[];
  /** Absent if the package does not name a licence, or is not installed on this system. */
  licenses?: [{ expression: string }];
}

/** The part of Deno's lock file that is read. */
interface Lock {
  npm: Record<string, { integrity: string; dependencies?: string[]; os?: string[] }>;
}

/** Every licence under which a package or a font may be used, as SPDX writes it. */
const ALLOWED = new Set([
  "(MIT OR CC0-1.0)",
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
]);

/** Returns the components whose licence is unknown or not on the list, each with what it names. */
export const refusedLicences = (components: readonly Component[]): string[] =>
  components.map(({ name, licenses }) => ({
    name,
    named: licenses?.[0].expression ?? "no licence",
  }))
    .filter(({ named }) => !ALLOWED.has(named))
    .map(({ name, named }) => `${name}: ${named}`);

/** Returns the folder in which Deno keeps the packages of npm. */
async function packagesFolder(): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] });
  const { npmCache } = JSON.parse(new TextDecoder().decode((await command.output()).stdout));
  return join(npmCache, "registry.npmjs.org");
}

/** Returns the licence that an installed package names, if any. */
async function licenceOf(folder: string): Promise<string | undefined> {
  try {
    const { license } = JSON.parse(await Deno.readTextFile(join(folder, "package.json")));
    return typeof license === "string" ? license : license?.type;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * Returns the packages of a lock file. Those that other operating systems use are left out, because
 * they are not installed.
 *
 * @param path of a lock file of Deno
 */
export async function packagesOf(path: string | URL): Promise<Component[]> {
  const { npm }: Lock = JSON.parse(await Deno.readTextFile(path));
  const folder = await packagesFolder();
  const packages = Object.entries(npm).filter(([, { os }]) => os === undefined);
  return await Promise.all(packages.map(async ([key, { integrity }]): Promise<Component> => {
    // The part after an underscore names the versions of peers.
    const [, name, version] = /^(@?[^@]+)@([^_]+)/.exec(key)!;
    const licence = await licenceOf(join(folder, name, version));
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    const content = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
    return {
      type: "library",
      "bom-ref": key,
      name,
      version,
      purl,
      hashes: [{ alg: "SHA-512", content }],
      ...licence !== undefined && { licenses: [{ expression: licence }] },
    };
  }));
}

/** Returns the fonts of a folder, each of which has its licence beside it. */
export async function fontsIn(folder: string): Promise<Component[]> {
  const fonts: Component[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    if (!/\.(woff2|ttf\.br)$/.test(name)) continue;
    const family = name.replace(/\.(woff2|ttf\.br)$/, "");
    // A licence may be that of a family with several fonts, such as `geist` for `geist-mono`.
    const licences = [family, family.replace(/-[^-]+$/, "")];
    const isOpen = await Promise.all(
      licences.map((licence) => isOpenFont(join(folder, `${licence}-licence.txt`))),
    );
    fonts.push({
      type: "data",
      "bom-ref": `font:${basename(folder)}/${family}`,
      name: `${family} (font)`,
      ...isOpen.includes(true) && { licenses: [{ expression: "OFL-1.1" }] },
    });
  }
  return fonts.sort((a, b) => a.name < b.name ? -1 : 1);
}

async function isOpenFont(path: string): Promise<boolean> {
  const text = await Deno.readTextFile(path).catch(() => "");
  return /SIL Open Font License,\s+Version 1\.1/.test(text);
}

/**
 * Returns the bill of materials of the site in a folder. It is the same for the same sources.
 *
 * @param root the folder of the repository
 * @example
 * ```ts
 * const { components } = await billOfMaterials(".");
 * ```
 */
export async function billOfMaterials(root: string) {
  const lock = join(root, "deno.lock");
  const { npm }: Lock = JSON.parse(await Deno.readTextFile(lock));
  const components = [
    ...await packagesOf(lock),
    ...await fontsIn(join(root, "static/fonts")),
    ...await fontsIn(join(root, "packages/pdf/fonts")),
  ];
  // Dependencies are named without the version if there is only one of a package.
  const refs = new Map(components.flatMap(({ name, version, "bom-ref": ref }) => [
    [name, ref],
    [`${name}@${version}`, ref],
  ]));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": "gatehouse",
        name: "gatehouse",
        version: VERSION,
      },
    },
    components,
    dependencies: Object.entries(npm).map(([ref, { dependencies = [] }]) => ({
      ref,
      dependsOn: dependencies.flatMap((dependency) => refs.get(dependency) ?? []),
    })),
  };
}
