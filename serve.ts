import { serveBuild, startOrExit } from "./lib/app/serve_build.ts";

/**
 * Serves the last build, like `dev.ts serve`, but does not load the builder and needs only the
 * permission set "site" in deno.json.
 */
// @ts-ignore: The file does not exist before the build. A literal path, unlike a computed one, needs no
// permission to read the sources.
await startOrExit(() => serveBuild(() => import("./_fresh/server.js")));
