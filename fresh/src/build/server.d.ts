/** The export of `_fresh/server.js`, for checks of types that must not depend on the last build. */
declare const server: Deno.ServeDefaultExport;
export default server;
