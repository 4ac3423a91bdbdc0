/**
 * The servers that the site is compared with. The first request to a URL of the first three brings what each
 * following one gets:
 *
 * - `bytes` is a bare `Deno.serve` handler that sends the same bytes.
 * - `mcp` is a bare handler that parses the call and sends the same result.
 * - `route` is a route of Fresh behind one middleware that converts the same value to JSON.
 * - `bank` is a bare handler that requests the URLs of its arguments from a bank, all at once, and parses
 *   the responses. Its first argument is the token.
 *
 * It prints its port.
 *
 * @module
 */
import { App } from "fresh";

type Handler = (request: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>;

const HANDLERS: Record<string, () => Handler> = {
  bytes() {
    const stored = new Map<string, [body: Uint8Array<ArrayBuffer>, init: ResponseInit]>();
    return async (request) => {
      const response = stored.get(request.url);
      if (response !== undefined) return new Response(...response);
      const headers = [...request.headers].filter(([name]) =>
        name === "content-type" || name === "content-encoding"
      );
      stored.set(request.url, [await request.bytes(), { headers }]);
      return new Response();
    };
  },

  mcp() {
    const init = { headers: { "content-type": "application/json" } };
    let result: unknown;
    return async (request) => {
      const message = JSON.parse(await request.text());
      if (result !== undefined) {
        return new Response(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }), init);
      }
      result = message;
      return new Response();
    };
  },

  bank() {
    const [, token, ...urls] = Deno.args;
    const headers = { accept: "application/json", authorization: `Bearer ${token}` };
    const read = async (url: string) => JSON.parse(await (await fetch(url, { headers })).text());
    return async () => Response.json((await Promise.all(urls.map(read))).length);
  },

  route() {
    let value: unknown;
    return new App().use((ctx) => ctx.next())
      .all("/api/chain/:hash", async (ctx) => {
        if (value !== undefined) return ctx.json(value);
        value = await ctx.req.json();
        return new Response();
      }).handler();
  },
};

Deno.serve(
  { port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(port) },
  HANDLERS[Deno.args[0]](),
);
