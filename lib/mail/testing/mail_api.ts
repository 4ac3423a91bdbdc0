/** A request that arrived, and what it carried. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
}

export interface TestMailApi extends AsyncDisposable {
  url: string;
  received: ReceivedRequest[];
}

/** Answers one request; `undefined` never answers it. */
export type Answer = () => Response | undefined;

/** A real HTTP server on a free port, whose requests are answered in turn; the last one repeats. */
export function startMailApi(...answers: Answer[]): TestMailApi {
  const received: ReceivedRequest[] = [];
  const unanswered = Promise.withResolvers<Response>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { method, url, headers } = request;
      const text = await request.text();
      const body = text === "" ? undefined : JSON.parse(text);
      received.push({ method, path: new URL(url).pathname, headers, body });
      const answer = answers[Math.min(received.length, answers.length) - 1];
      return answer() ?? await unanswered.promise;
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/send`,
    received,
    async [Symbol.asyncDispose]() {
      unanswered.resolve(new Response());
      await server.shutdown();
    },
  };
}
