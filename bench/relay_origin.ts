/**
 * The origin that `relay.ts` measures, as a separate process. It prints its port, and responds to
 * `/{bytes}` with that many bytes.
 *
 * @module
 */
const bodies = new Map<string, Uint8Array<ArrayBuffer>>();

Deno.serve(
  { port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(port) },
  (request) => {
    const size = request.url.slice(request.url.lastIndexOf("/") + 1);
    const body = bodies.get(size) ?? new Uint8Array(Number(size)).fill(0x2e);
    bodies.set(size, body);
    return new Response(body, { headers: { "content-type": "application/octet-stream" } });
  },
);
