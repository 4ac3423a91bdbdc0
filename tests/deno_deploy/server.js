// Serves the build's entry in the world of the stand-in. `deno serve` ignores --preload.
import "./world.ts";

const { default: server } = await import(`${Deno.env.get("STAND_IN_BUILD")}/server.js`);

export default server;
