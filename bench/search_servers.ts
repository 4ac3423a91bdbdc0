/**
 * The servers that `search.ts` compares, each in its own process:
 * `deno run -A bench/search_servers.ts app` prints the port that it listens on.
 *
 * @module
 */
import { createSite } from "../tests/site.ts";

type Handler = (request: Request) => Response | Promise<Response>;

const site = await createSite();

const servers: Record<string, () => Handler> = {
  app: () => (request) => site.handler(request),

  /** Returns the bytes of the app's responses, rendered once for each URL. */
  bare() {
    const stored = new Map<string, { body: Uint8Array<ArrayBuffer>; headers: Headers }>();
    return async (request) => {
      let response = stored.get(request.url);
      if (response === undefined) {
        const rendered = await site.handler(request);
        response = { body: await rendered.bytes(), headers: rendered.headers };
        stored.set(request.url, response);
      }
      return new Response(response.body, { headers: response.headers });
    };
  },
};

Deno.serve(
  { port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(port) },
  servers[Deno.args[0]](),
);
