import type { Handler } from "../server/respond.ts";

/**
 * Adds an event stream with the id of the server's run to a handler. Open pages reload when it
 * changes; the restart itself comes from the file watcher (`deno run --watch`).
 */
export function withLiveReload(handler: Handler): Handler {
  const run = crypto.randomUUID();
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
  return async (req, info) => {
    if (new URL(req.url).pathname !== "/_frsh/alive") return await handler(req, info);
    const stream = new ReadableStream<string>({
      start: (controller) => controller.enqueue(`retry: 300\ndata: ${run}\n\n`),
    });
    return new Response(stream.pipeThrough(new TextEncoderStream()), { headers });
  };
}
