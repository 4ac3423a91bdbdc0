import { Builder } from "fresh/dev";
import { freshConfig } from "./fresh.config.ts";
import { printProblems } from "./lib/config/command.ts";
import { ConfigError, parseConfig } from "./lib/config.ts";
import { writeContactModule } from "./lib/contact/bundle.ts";
import { announcement } from "./lib/announcement.ts";
import { createSurfaces } from "./lib/surfaces/mod.ts";

/**
 * `dev.ts build` writes `_fresh/`; `dev.ts start` builds, then serves; without a word it serves for
 * development and lets pages reload.
 */
const builder = new Builder(freshConfig);
const [task] = Deno.args;
const outDir = `${freshConfig.root}/${freshConfig.outDir}`;
const build = async () => {
  await builder.build();
  await writeContactModule(freshConfig.root, outDir);
};

if (task === "build") {
  await build();
  Deno.exit();
}

try {
  const config = parseConfig(Deno.env.toObject());
  const { host: hostname, port } = config;
  const onListen = (address: Deno.NetAddr) =>
    console.log(announcement(config, createSurfaces(config), address));
  if (task === "start") {
    await build();
    // By a computed address: the file is not there before the build, nor when types are checked.
    const { default: server } = await import(`${outDir}/server.js`);
    Deno.serve({ hostname, port, onListen }, server.fetch);
  } else {
    await writeContactModule(freshConfig.root, outDir);
    await builder.listen(() => import("./server.ts"), { hostname, port, onListen });
  }
} catch (error) {
  if (error instanceof ConfigError) {
    printProblems(error);
  } else if (error instanceof Deno.errors.AddrInUse) {
    console.error("The port is taken; set PORT to another one.");
  } else {
    throw error;
  }
  Deno.exit(1);
}
