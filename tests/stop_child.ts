/** Serves the site with its real entry and the tests' build, and prints a line when it listens. */
import { relative } from "node:path";
import { freshConfig } from "../fresh.config.ts";
import { serve } from "../lib/http/serve.ts";
import { onStopSignal } from "../lib/stop.ts";
import { builtSite } from "./built_site.ts";

const { folder, apply } = await builtSite();
freshConfig.outDir = relative(freshConfig.root, folder);
const { app } = await import("../server.ts");
apply(app);
const { shutdown } = serve({
  hostname: "127.0.0.1",
  port: Number(Deno.env.get("PORT")),
  onListen: () => console.log("listening"),
}, app.handler());
onStopSignal(() => void shutdown());
