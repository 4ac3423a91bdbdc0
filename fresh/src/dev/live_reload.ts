import type { Middleware } from "../types.ts";

/**
 * Tells open pages which run of the server they talk to: they reload when it is another one. The
 * restart itself is the file watcher's (`deno run --watch`).
 */
export function liveReload<State>(): Middleware<State> {
  const run = crypto.randomUUID();
  return (ctx) => {
    if (ctx.url.pathname !== "/_frsh/alive") return ctx.next();
    const body = new ReadableStream<string>({
      start: (controller) => controller.enqueue(`retry: 300\ndata: ${run}\n\n`),
    });
    return new Response(body.pipeThrough(new TextEncoderStream()), {
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
      },
    });
  };
}
