/** A fake HTTP API of a provider of codes, for tests. */

interface ReceivedRequest {
  method: string;
  path: string;
  headers: Headers;
  body: string;
}

/** Returns a response, or undefined to leave the request without one until the server is closed. */
export type Responder = (request: ReceivedRequest) => Response | undefined;

/** A fake provider of codes on a free port. */
interface CodeApi extends AsyncDisposable {
  url: string;
  received: ReceivedRequest[];
  /** Resolves when the first request was received. */
  first: Promise<void>;
}

/** Starts a fake provider. The last responder answers all further requests. */
export function startCodeApi(...responders: Responder[]): CodeApi {
  const received: ReceivedRequest[] = [];
  const first = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const { method, headers } = request;
      const path = new URL(request.url).pathname;
      const entry = { method, path, headers, body: await request.text() };
      received.push(entry);
      const responder = responders[Math.min(received.length, responders.length) - 1];
      const response = responder(entry);
      first.resolve();
      if (response === undefined) await closed.promise;
      return response ?? new Response(null, { status: 500 });
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    received,
    first: first.promise,
    async [Symbol.asyncDispose]() {
      closed.resolve();
      await server.shutdown();
    },
  };
}
