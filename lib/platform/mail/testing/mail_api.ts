interface ReceivedRequest {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
}

interface TestMailApi extends AsyncDisposable {
  url: string;
  received: ReceivedRequest[];
}

/** Returns the response to one request, or undefined to never respond. */
export type Responder = () => Response | undefined;

/** Starts an HTTP server on a free port. The responders are used in turn; the last one repeats. */
export function startMailApi(...responders: Responder[]): TestMailApi {
  const received: ReceivedRequest[] = [];
  const pending = Promise.withResolvers<Response>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { method, url, headers } = request;
      const text = await request.text();
      const body = text === "" ? undefined : JSON.parse(text);
      received.push({ method, path: new URL(url).pathname, headers, body });
      const respond = responders[Math.min(received.length, responders.length) - 1];
      return respond() ?? await pending.promise;
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/send`,
    received,
    async [Symbol.asyncDispose]() {
      pending.resolve(new Response());
      await server.shutdown();
    },
  };
}
