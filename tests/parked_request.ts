/** Holds a request in the middle of its body, for tests of what changes meanwhile. */
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import type { Site } from "./site.ts";

/** A request whose handler waits for the second half of the body. */
export interface ParkedRequest {
  /** Sends the rest of the body and returns the response. */
  finish(): Promise<Response>;
}

/** A request to send in two parts. */
export interface Halved {
  /** Sent as a form if it is `URLSearchParams` or `FormData`, and otherwise as JSON. */
  body: URLSearchParams | FormData | object;
  cookie?: string;
  /** Default: `trust`. */
  surface?: SurfaceName;
  /** Default: POST. */
  method?: string;
  headers?: Record<string, string>;
}

/**
 * Sends the headers and half of the body of a request, and waits until its handler reads the body, which is
 * after it has found who sends it.
 */
export async function park(
  { site }: { site: Pick<Site, "handler" | "services"> },
  path: string,
  { cookie, body, surface = "trust", method = "POST", headers }: Halved,
): Promise<ParkedRequest> {
  const url = site.services.surfaces.url(surface, path)!;
  const { host, origin } = new URL(url);
  const isForm = body instanceof URLSearchParams || body instanceof FormData;
  const whole = new Request(url, { method, body: isForm ? body : JSON.stringify(body) });
  const type = isForm ? whole.headers.get("content-type")! : "application/json";
  const bytes = new Uint8Array(await whole.arrayBuffer());
  // A file's handler does more before it reads the rest of the file.
  const half = body instanceof FormData ? bytes.length - 8 : Math.ceil(bytes.length / 2);
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
    method,
    body: stream,
    headers: {
      host,
      origin,
      ...cookie !== undefined && { cookie },
      accept: isForm ? "text/html" : "application/json",
      "content-type": type,
      ...headers,
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

/** Returns whether a row changes only because the upload of a refused request is discarded. */
export const isDiscarded = (row: string): boolean => row.startsWith("document_uploads/");
