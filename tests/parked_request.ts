import type { Site } from "./site.ts";

/** A request whose handler waits for the second half of the body. */
export interface ParkedRequest {
  /** Sends the rest of the body and returns the response. */
  finish(): Promise<Response>;
}

/**
 * Sends the headers and half of the body of a POST to the trust surface, and waits until its handler
 * reads the body, which is after the session was found.
 *
 * @param body sent as JSON, or as a form if it is `URLSearchParams`
 */
export async function park(
  { site }: { site: Pick<Site, "handler" | "services"> },
  path: string,
  { cookie, body }: { cookie: string; body: URLSearchParams | object },
): Promise<ParkedRequest> {
  const url = site.services.surfaces.url("trust", path)!;
  const { host, origin } = new URL(url);
  const isForm = body instanceof URLSearchParams;
  const bytes = new TextEncoder().encode(isForm ? body.toString() : JSON.stringify(body));
  const half = Math.ceil(bytes.length / 2);
  const reads = Promise.withResolvers<void>();
  const rest = Promise.withResolvers<void>();
  // Without a buffer, the stream is not pulled before the handler reads it.
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.slice(0, half));
    },
    async pull(controller) {
      reads.resolve();
      await rest.promise;
      controller.enqueue(bytes.slice(half));
      controller.close();
    },
  }, { highWaterMark: 0 });
  const request = new Request(url, {
    method: "POST",
    body: stream,
    headers: {
      host,
      origin,
      cookie,
      accept: isForm ? "text/html" : "application/json",
      "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
    },
  });
  const remoteAddr = { transport: "tcp", hostname: "203.0.113.7", port: 4711 } as const;
  const response = Promise.resolve(
    site.handler(request, { remoteAddr, completed: Promise.resolve() }),
  );
  // A response without a read is an error of the test.
  await Promise.race([reads.promise, response]);
  return {
    finish: () => {
      rest.resolve();
      return response;
    },
  };
}
