/** Measures how large the scripts and style sheets of the build are. */
import { VERSION } from "../../packages/proof/release/mod.ts";
import type { SurfaceName } from "../../lib/platform/surfaces/mod.ts";
import { builtSite } from "../built_site.ts";
import type { Site } from "../site.ts";
import type { PageScale, PageSize } from "./page.ts";

/** Scripts that other sites load, besides the files of the build. */
const FOR_OTHERS: Partial<Record<SurfaceName, string[]>> = {
  foundation: [`/verifier/${VERSION}/verifier.js`],
  api: ["/components/contact-form.js"],
};

/** The files that pages load; not the chunks and parts, which these import. */
const OWN = /^\/styles\/(?:pages|shared)\/.*\.css$|^(?!.*\/chunk-\w+\.js$).*\.js$/;

/** The hash in a name that the bundler chose. */
const HASH = /-[0-9A-Z]{8}(?=\.js$)/;

/**
 * Returns the size of each script and style sheet of the build by its name, with everything that it imports,
 * whether or not a counted page loads it.
 */
export async function assetSizes(site: Site, scale: PageScale): Promise<Record<string, PageSize>> {
  const { folder } = await builtSite();
  const found: [surface: SurfaceName, path: string][] = Object.entries(FOR_OTHERS)
    .flatMap(([on, paths]) =>
      paths.map((path): [SurfaceName, string] => [on as SurfaceName, path])
    );
  for (const path of await pathsBelow(`${folder}/static`)) {
    if (OWN.test(path)) found.push(["site", path]);
  }
  const sizes = await Promise.all(found.map(async ([on, path]) => {
    const size = await scale.files(site, on, path);
    return { name: path.replace(/^\/_fresh\/js\/[^/]+/, "").replace(HASH, ""), size };
  }));
  sizes.sort((a, b) => bytesOf(b.size) - bytesOf(a.size)); // two names may differ only in their hashes
  const byName = Map.groupBy(sizes, ({ name }) => name);
  return Object.fromEntries(
    [...byName].flatMap(([name, all]) =>
      all.map(({ size }, i) => [i === 0 ? name : `${name}, ${i + 1}`, size] as const)
    ).sort(([a], [b]) => a < b ? -1 : 1),
  );
}

const bytesOf = ({ scripts, styles }: PageSize) => scripts.bytes + styles.bytes;

/** Returns the paths of all files below a folder, from that folder on. */
async function pathsBelow(folder: string, below = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder + below)) {
    const path = `${below}/${name}`;
    found.push(...isDirectory ? await pathsBelow(folder, path) : [path]);
  }
  return found;
}
