/**
 * The smallest relay that Deno allows, as a lower bound: it passes on the path and streams the body,
 * without any of the checks of ours. The argument is the origin. It prints the port that it listens on.
 *
 * @module
 */
const [origin] = Deno.args;
const client = Deno.createHttpClient({ http2: false });

Deno.serve(
  { port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(port) },
  async ({ url }) => {
    const path = url.slice(url.indexOf("/", "http://".length));
    const { body, headers } = await fetch(origin + path, { client } as RequestInit);
    return new Response(body, { headers });
  },
);
