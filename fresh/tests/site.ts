import { cp } from "node:fs/promises";

const SITE = new URL("site/", import.meta.url).pathname;

/** A copy of the site beside this file, in a folder that goes when it is disposed of. */
export async function copyOfSite(): Promise<{ root: string } & AsyncDisposable> {
  const root = await Deno.makeTempDir({ prefix: "fresh-site-" });
  await cp(SITE, root, { recursive: true, filter: (path) => !path.includes("_fresh") });
  const config = JSON.parse(await Deno.readTextFile(`${root}/deno.json`));
  config.links = [new URL("../", import.meta.url).pathname];
  await Deno.writeTextFile(`${root}/deno.json`, JSON.stringify(config));
  // Here, since in the repository they would be run as tests.
  for (const name of ["about_test.ts", "about.test.tsx"]) {
    await Deno.writeTextFile(`${root}/routes/${name}`, 'throw new Error("a test is no route");');
    await Deno.writeTextFile(`${root}/islands/${name}`, 'throw new Error("a test is no island");');
  }
  return { root, [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }) };
}
