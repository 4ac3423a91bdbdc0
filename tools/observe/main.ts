/**
 * Writes what a development store with every feature's objects looks like, so that it can be compared with
 * what it looks like after a change (`compare.ts`; `docs/observations.md` says how a change uses both):
 *
 *     deno task observe <folder> [name]
 *
 * It starts the site with its stand-ins and fixed times, so it needs no network. It writes the surfaces'
 * routes with their methods and properties, `openapi.json`, what `check-config` prints, an export, the
 * number of rows of each table, the mails, and pictures of every page at two widths in light and dark. With
 * a name, it takes only the pictures whose name contains it. Exits with 1 if a page has another status than
 * expected.
 *
 * @module
 */
import { serveOnFreePort } from "../../tests/served_site.ts";
import { takePictures } from "./pictures.ts";
import { observedSite } from "./store.ts";
import { observedTexts } from "./texts.ts";

if (import.meta.main) {
  const [folder, only] = Deno.args;
  if (folder === undefined || Deno.args.length > 2) {
    console.error("Usage: deno task observe <folder> [name]");
    Deno.exit(2);
  }
  Deno.exit(await observe(folder, only) ? 0 : 1);
}

/** Writes the observations to a folder. Returns whether every page was as expected. */
async function observe(folder: string, only?: string): Promise<boolean> {
  const start = performance.now();
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  await using site = await serveOnFreePort(observedSite);
  console.log(`The store is filled after ${seconds()}.`);
  await Deno.mkdir(folder, { recursive: true });
  const texts = only === undefined ? await observedTexts(site) : {};
  for (const [name, text] of Object.entries(texts)) {
    await Deno.writeTextFile(`${folder}/${name}`, `${text}\n`);
  }
  console.log(`The texts are written after ${seconds()}.`);
  site.freeze();
  const { count, problems } = await takePictures(site, `${folder}/pictures`, only);
  console.log(`${count} pictures are taken after ${seconds()}.`);
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}
