/** The form in which requests are listed for the count of costs. */
import type { SurfaceName } from "../../lib/platform/surfaces/mod.ts";
import type { Site } from "../site.ts";

/** A request whose cost is counted. */
export interface CostRequest {
  on: SurfaceName;
  path: string;
  /** Default: POST with a body, otherwise GET. */
  method?: string;
  cookie?: string;
  headers?: Record<string, string>;
  form?: Record<string, string> | FormData;
  json?: unknown;
  body?: BodyInit;
  /** The expected status, if it is one of an error. */
  status?: number;
}

type Prepare = () => CostRequest | Promise<CostRequest>;

/**
 * Requests by their names in the document. Those that change something are prepared each time. One that
 * cannot be repeated is sent `once`; something like it has been sent before.
 */
export type CostRequests = Record<string, CostRequest | Prepare | { once: Prepare }>;

/** The `Accept` headers of a browser. */
const BROWSER = { accept: "text/html", "accept-encoding": "gzip, deflate, br, zstd" };

/** The `Accept` headers of a program. */
export const PROGRAM = { accept: "*/*", "accept-encoding": "gzip" };

/** The `Accept` header of a program that follows a list. Only the cost up to the stream's first event is counted. */
export const STREAM = { accept: "text/event-stream" };

/** Returns paths by their names, for those that are their own names. */
export const same = (...paths: string[]): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [path, path]));

/** Returns the requests of a browser for pages. */
export const pages = (
  on: SurfaceName,
  paths: Record<string, string>,
  { cookie, as = "" }: { cookie?: string; as?: string } = {},
): CostRequests =>
  Object.fromEntries(
    Object.entries(paths).map(([name, path]) => [`${on} ${name}${as}`, { on, path, cookie }]),
  );

/** Returns the requests of a program for files. */
export const files = (on: SurfaceName, paths: Record<string, string>): CostRequests =>
  Object.fromEntries(
    Object.entries(paths).map(([name, path]) => [`${on} ${name}`, { on, path, headers: PROGRAM }]),
  );

/** Returns what `fetch` needs besides the URL. Without other headers, it is a browser's request. */
export function initOf({ method, cookie, headers, form, json, body }: CostRequest): RequestInit {
  const sent = body ??
    (form instanceof FormData
      ? form
      : form !== undefined
      ? new URLSearchParams(form)
      : json !== undefined
      ? JSON.stringify(json)
      : null);
  return {
    method: method ?? (sent === null ? "GET" : "POST"),
    body: sent,
    headers: {
      ...BROWSER,
      ...json !== undefined && {
        "accept": "application/json",
        "content-type": "application/json",
        "idempotency-key": crypto.randomUUID(),
      },
      ...cookie !== undefined && { cookie },
      ...headers,
    },
  };
}

/** Returns a request of somebody who has the response already. */
export const notModified =
  (site: Site, request: CostRequest): () => Promise<CostRequest> => async () => {
    const response = await site.request(request.on, request.path, initOf(request));
    await response.body?.cancel();
    const etag = response.headers.get("etag");
    if (etag === null) throw new Error(`${request.path} has no ETag.`);
    return { ...request, headers: { ...request.headers, "if-none-match": etag } };
  };
