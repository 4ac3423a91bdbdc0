import { Builder } from "fresh/dev";
import { freshConfig } from "./fresh.config.ts";
import { printProblems } from "./lib/config/command.ts";
import { ConfigError, parseConfig } from "./lib/config.ts";
import { writeContactModule } from "./lib/contact/bundle.ts";
import { removePrecompressed, writePrecompressed } from "./lib/http/precompressed.ts";
import { serve } from "./lib/http/serve.ts";
import { startupSummary } from "./lib/startup_summary.ts";
import { joinStyles } from "./lib/styles.ts";
import { bundleWorkers } from "./lib/workers.ts";
import { createSurfaces } from "./lib/surfaces/mod.ts";

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
  await writePrecompressed(outDir, [`${freshConfig.root}/static`, `${outDir}/static`]);
};

if (task === "build") {
  await build();
  Deno.exit();
}

try {
  const config = parseConfig(Deno.env.toObject());
  const { host: hostname, port } = config;
  const onListen = (address: Deno.NetAddr) =>
    console.log(startupSummary(config, createSurfaces(config), address));
  if (task === "start" || task === "serve") {
    if (task === "start") await build();
    await Deno.stat(`${outDir}/server.js`);
    // A computed path, because the file does not exist before the build or when types are checked.
    const { default: server } = await import(`${outDir}/server.js`);
    serve({ hostname, port, onListen }, server.fetch);
  } else {
    await removePrecompressed(outDir);
    await writeContactModule(freshConfig.root, outDir);
    await builder.listen(() => import("./server.ts"), { hostname, port, onListen });
  }
} catch (error) {
  if (error instanceof ConfigError) {
    printProblems(error);
  } else if (error instanceof Deno.errors.AddrInUse) {
    console.error("The port is in use. Set PORT to another one.");
  } else if (task === "serve" && error instanceof Deno.errors.NotFound) {
    console.error("There is no build. Run: deno task build");
  } else {
    throw error;
  }
  Deno.exit(1);
}
