/**
 * The servers that `pages.ts` compares, each in its own process:
 * `deno run -A bench/page_servers.ts app` prints the port that it listens on.
 *
 * `GET /cpu` on any of them returns how many requests it has handled, and the CPU time in µs.
 *
 * @module
 */
import process from "node:process";
import { createSite } from "../tests/site.ts";

type Handler = (request: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>;

const site = await createSite();

/** Returns the bytes of the app's responses, rendered once for each URL. */
function bare(headersOf: (headers: Headers) => HeadersInit): Handler {
  const stored = new Map<string, { body: Uint8Array<ArrayBuffer>; headers: HeadersInit }>();
  return async (request, info) => {
    let response = stored.get(request.url);
    if (response === undefined) {
      const rendered = await site.handler(request, info);
      response = { body: await rendered.bytes(), headers: headersOf(rendered.headers) };
      stored.set(request.url, response);
    }
    return new Response(response.body, { headers: response.headers });
  };
}

const servers: Record<string, Handler> = {
  app: (request, info) => site.handler(request, info),
  /** Only with the headers without which a browser could not read the page. */
  bare: bare((headers) =>
    [...headers].filter(([name]) => name === "content-type" || name === "content-encoding")
  ),
  /** With all headers of the app, unchanged. */
  headers: bare((headers) => [...headers]),
};

const handle = servers[Deno.args[0]];
let requests = 0;

Deno.serve(
  { port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(port) },
  (request, info) => {
    if (request.url.endsWith("/cpu")) {
      const { user, system } = process.cpuUsage();
      return Response.json({ requests, micros: user + system });
    }
    requests++;
    return handle(request, info);
  },
);
