/**
 * A server of event streams in its own process, for `feed.ts`: `app <store>`, the whole app, or
 * `bare`, a `Deno.serve` that keeps the streams in a set and sends every event to all of them.
 *
 * It prints its port and host as JSON. For each line on its standard input, the hash of a chain, it
 * appends an event, and prints the time of the commit as JSON.
 *
 * @module
 */
import { TextLineStream } from "./lines.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { createSite } from "../tests/site.ts";

export interface FeedServer {
  port: number;
  host: string;
  publisher: string;
}

export const now = () => performance.timeOrigin + performance.now();

interface Served {
  handler: (req: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>;
  append: (hash: string) => Promise<number>;
  host: string;
  publisher: string;
}

async function app(store: string): Promise<Served> {
  const site = await createSite({ STREAM_CLIENT_LIMIT: "10000" }, { kv: await openKv(store) });
  const { chains, surfaces } = site.services;
  return {
    handler: site.handler,
    host: new URL(surfaces.url("api")!).host,
    publisher: chains.publisher,
    async append(hash) {
      // The stream may send the event before this continues, so the time is taken in the commit.
      let commit = 0;
      await chains.append(hash, "record_verified", () => void (commit = now()));
      return commit;
    },
  };
}

function bare(): Served {
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  let seq = 0;
  return {
    host: "localhost",
    publisher: "",
    handler() {
      let own: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller;
          streams.add(own);
          own.enqueue(new TextEncoder().encode("retry: 3000\n\n"));
        },
        cancel: () => void streams.delete(own),
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
    append(hash) {
      const data = { seq: ++seq, kind: "record_verified", prev: hash, hash };
      const text = `id: ${seq}\nevent: record_verified\ndata: ${JSON.stringify(data)}\n\n`;
      const bytes = new TextEncoder().encode(text);
      const commit = now();
      for (const stream of streams) stream.enqueue(bytes);
      return Promise.resolve(commit);
    },
  };
}

if (import.meta.main) {
  const [kind, store] = Deno.args;
  const { handler, append, host, publisher } = kind === "app" ? await app(store) : bare();
  const print = (value: unknown) => console.log(JSON.stringify(value));
  Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    onListen: ({ port }) => print({ port, host, publisher } satisfies FeedServer),
  }, handler);
  const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
    .pipeThrough(new TextLineStream());
  for await (const hash of lines) print(await append(hash));
}
