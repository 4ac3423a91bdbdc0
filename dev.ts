/** The script behind the tasks that build the site and serve it, in development and production. */
import { Builder } from "fresh/dev";
import { freshConfig } from "./fresh.config.ts";
import { parseConfig } from "./lib/app/config.ts";
import { writeContactModule } from "./lib/features/contact/bundle.ts";
import { RELEASES_FOLDER } from "./packages/proof/release/mod.ts";
import { removePrecompressed, writePrecompressed } from "./lib/platform/http/precompressed.ts";
import { billOfMaterials } from "./lib/app/bill_of_materials.ts";
import { serveBuild, startOrExit } from "./lib/app/serve_build.ts";
import { startupSummary } from "./lib/app/startup_summary.ts";
import { joinStyles } from "./lib/app/styles.ts";
import { bundleWorkers } from "./lib/app/workers.ts";
import { createSurfaces } from "./lib/platform/surfaces/mod.ts";

/**
 * `dev.ts build` writes `_fresh/`, `dev.ts serve` serves it, and `dev.ts start` does both. Without an
 * argument it serves for development, and open pages reload after a change.
 */
const builder = new Builder(freshConfig);
joinStyles(builder, freshConfig.root);
bundleWorkers(builder, freshConfig.root);
const [task] = Deno.args;
const outDir = `${freshConfig.root}/${freshConfig.outDir}`;
const build = async () => {
  await builder.build();
  await writeContactModule(freshConfig.root, outDir);
  await writePrecompressed(outDir, [
    RELEASES_FOLDER.pathname.replace(/\/$/, ""),
    `${freshConfig.root}/static`,
    `${outDir}/static`,
  ]);
  const bill = JSON.stringify(await billOfMaterials(freshConfig.root), null, 2);
  await Deno.writeTextFile(`${outDir}/sbom.cdx.json`, `${bill}\n`);
};

if (task === "build") {
  await build();
  Deno.exit();
}

await startOrExit(async () => {
  if (task === "start" || task === "serve") {
    if (task === "start") await build();
    // A computed path, because Deno would load the previous build's file before this one is written.
    return await serveBuild(() => import(`${outDir}/server.js`));
  }
  const config = parseConfig(Deno.env.toObject());
  const { host: hostname, port } = config;
  const onListen = (address: Deno.NetAddr) =>
    console.log(startupSummary(config, createSurfaces(config), address));
  await removePrecompressed(outDir);
  await writeContactModule(freshConfig.root, outDir);
  await builder.listen(() => import("./server.ts"), { hostname, port, onListen });
});
