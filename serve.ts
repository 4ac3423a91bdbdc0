import { serveBuild, startOrExit } from "./lib/app/serve_build.ts";

/**
 * Serves the last build, like `dev.ts serve`, but does not load the builder and needs only the
 * permission set "site" in deno.json.
 */
await startOrExit(() =>
  serveBuild(() =>
    // A literal path, unlike a computed one, needs no permission to read the sources. It does not exist before
    // the build, and the last build may import files that are gone.
    // @ts-types="./fresh/src/build/server.d.ts"
    import("./_fresh/server.js")
  )
);
