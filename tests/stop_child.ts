/** Serves the tests' build as `deno task serve` serves the one in `_fresh`. */
import { relative } from "node:path";
import { freshConfig } from "../fresh.config.ts";
import { serveBuild, startOrExit } from "../lib/app/serve_build.ts";
import { builtSite } from "./built_site.ts";

const { folder } = await builtSite();
freshConfig.outDir = relative(freshConfig.root, folder);
await startOrExit(() => serveBuild(() => import(`${folder}/server.js`)));
