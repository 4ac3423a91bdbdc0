/** A `fetch` that reaches the development hosts below `.localhost`. */
import { request as httpRequest } from "node:http";
import { Readable } from "node:stream";

/**
 * Returns a `fetch` for our commands and tests that also reaches the development surfaces. Names
 * below `.localhost` are this machine (RFC 6761, 6.3), but Deno and Node pass them to the resolver.
 * Requests to such names are sent to 127.0.0.1 with the name in the `Host` header, and their redirects
 * are not followed. Other requests are passed to `otherwise` unchanged.
 *
 * @throws {TypeError} if nothing responds, as `fetch` does
 */
export function createLocalFetch(otherwise: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const { protocol, hostname } = new URL(input instanceof Request ? input.url : input);
    const isLocal = protocol === "http:" && hostname.endsWith(".localhost");
    return isLocal ? await fetchLocal(new Request(input, init)) : await otherwise(input, init);
  };
}

function fetchLocal(request: Request): Promise<Response> {
  const { host, port, pathname, search } = new URL(request.url);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      host: "127.0.0.1",
      port: port || 80,
      path: pathname + search,
      method: request.method,
      headers: { ...Object.fromEntries(request.headers), host },
      // A kept-alive connection would outlive the command or test.
      agent: false,
      signal: request.signal,
    });
    outgoing.on(
      "error",
      (cause) => reject(request.signal.aborted ? request.signal.reason : failed(request, cause)),
    );
    outgoing.on("response", (incoming) => {
      const headers = new Headers();
      for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
        headers.append(incoming.rawHeaders[i], incoming.rawHeaders[i + 1]);
      }
      const status = incoming.statusCode ?? 0;
      const empty = request.method === "HEAD" || [204, 205, 304].includes(status);
      if (empty) incoming.resume();
      const body = empty
        ? null
        : Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>;
      resolve(new Response(body, { status, statusText: incoming.statusMessage, headers }));
    });
    if (request.body) Readable.fromWeb(request.body as never).on("error", reject).pipe(outgoing);
    else outgoing.end();
  });
}

function failed(request: Request, cause: Error): TypeError {
  return new TypeError(`No response from ${request.url}: ${cause.message}`, { cause });
}
