/** Serves a finished build, and explains failures to start. */
import { freshConfig } from "../../fresh.config.ts";
import { problemText } from "./commands/command_store.ts";
import { ConfigError } from "../platform/config/error.ts";
import { parseConfig } from "./config.ts";
import { serve } from "../platform/http/serve.ts";
import { startupSummary } from "./startup_summary.ts";
import { stopServer } from "../platform/stop.ts";
import { createSurfaces } from "../platform/surfaces/mod.ts";
import { createLog } from "../platform/telemetry/mod.ts";

/**
 * Serves the last build.
 *
 * @param load imports the build's `server.js`
 * @throws {Deno.errors.NotFound} (rejects) if there is no build
 */
export async function serveBuild(
  load: () => Promise<{ default: Deno.ServeDefaultExport }>,
): Promise<void> {
  const config = parseConfig(Deno.env.toObject());
  const { host: hostname, port } = config;
  const onListen = (address: Deno.NetAddr) =>
    console.log(startupSummary(config, createSurfaces(config), address));
  await Deno.stat(`${freshConfig.root}/${freshConfig.outDir}/server.js`);
  const { default: server } = await load();
  const handler = server.fetch as Deno.ServeHandler<Deno.NetAddr>;
  const log = createLog({ clock: Date.now, level: config.telemetry.logLevel });
  // `server.ts` closes everything else, and exits.
  stopServer(serve({ hostname, port, onListen, log }, handler));
}

/** Runs `start`; if it fails for a reason that the operator can fix, prints that and exits. */
export async function startOrExit(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (error instanceof ConfigError) {
      console.error(problemText(error));
      Deno.exit(2);
    } else if (error instanceof Deno.errors.AddrInUse) {
      console.error("The port is in use. Set PORT to another one.");
    } else if (error instanceof Deno.errors.NotFound) {
      console.error("There is no build. Run: deno task build");
    } else {
      throw error;
    }
    Deno.exit(1);
  }
}
