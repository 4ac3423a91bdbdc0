/** Sends requests to one process, without the retries of `fetch`. */
import { Buffer } from "node:buffer";
import { request as httpRequest } from "node:http";
import { Readable } from "node:stream";

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  form?: Record<string, string>;
  cookie?: string;
  /** The client's address. */
  from?: string;
  signal?: AbortSignal;
}

/** Sends one request on its own connection, because `fetch` would retry it on a closed one. */
export function sendTo(
  port: number,
  host: string,
  path: string,
  init: RequestOptions = {},
): Promise<Response> {
  const { json, form, cookie, from = "203.0.113.7", headers, signal } = init;
  const body = json !== undefined
    ? JSON.stringify(json)
    : form && new URLSearchParams(form).toString();
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const outgoing = httpRequest({
    host: "127.0.0.1",
    port,
    path,
    method: init.method ?? (body === undefined ? "GET" : "POST"),
    agent: false,
    signal,
    headers: {
      host,
      "x-forwarded-for": from,
      ...body === undefined ? {} : {
        origin: `https://${host}`,
        "content-length": String(new TextEncoder().encode(body).length),
        "content-type": json === undefined
          ? "application/x-www-form-urlencoded"
          : "application/json",
      },
      ...cookie === undefined ? {} : { cookie },
      ...headers,
    },
  });
  outgoing.on("error", reject);
  outgoing.on("response", (incoming) => {
    const headers = new Headers();
    for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
      headers.append(incoming.rawHeaders[i], incoming.rawHeaders[i + 1]);
    }
    const stream = headers.get("content-type") === "text/event-stream";
    if (stream) {
      resolve(new Response(Readable.toWeb(incoming) as ReadableStream<never>, { headers }));
      return;
    }
    const chunks: Uint8Array[] = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    incoming.on("error", reject);
    incoming.on("close", () => incoming.complete || reject(new Error("The response was cut off.")));
    incoming.on("end", () => {
      const status = incoming.statusCode!;
      const empty = [204, 304].includes(status);
      resolve(new Response(empty ? null : Buffer.concat(chunks), { status, headers }));
    });
  });
  outgoing.end(body);
  return promise;
}

/** Returns the cookies that a response sets, for the `Cookie` header. */
export const cookiesOf = (response: Response): string =>
  response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]).join("; ");
