import { VERSION } from "../config/release.ts";
import { problemResponse } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { programHeaders } from "./headers.ts";

/** Responds to a GET request of an operator's tool. */
type Endpoint = (services: Services) => Response | Promise<Response>;

/** What load balancers and monitoring request, on every host name and on none. */
const ENDPOINTS: [path: string, endpoint: Endpoint][] = [
  ["/healthz", () => new Response("ok\n")],
  ["/readyz", readiness],
];

/**
 * Responds to the requests of an operator's tools before anything else looks at them: `/healthz`
 * touches nothing, and `/readyz` reads the store once.
 *
 * @returns a function that returns null for all other requests
 */
export function operations(
  services: Services,
): (req: Request) => Response | Promise<Response> | null {
  return (req) => {
    const { url } = req;
    // The URL is not parsed, because this runs for every request.
    const start = url.indexOf("/", "https://".length);
    for (const [path, endpoint] of ENDPOINTS) {
      if (url.startsWith(path, start) && isEnd(url[start + path.length])) {
        return respond(services, req.method, endpoint);
      }
    }
    return null;
  };
}

const isEnd = (next: string | undefined) => next === undefined || next === "?";

async function respond(
  services: Services,
  method: string,
  endpoint: Endpoint,
): Promise<Response> {
  const response = method === "GET" || method === "HEAD"
    ? await endpoint(services)
    : problemResponse({
      status: 405,
      code: "method_not_allowed",
      message: "This address does not support that method.",
      headers: { allow: "GET, HEAD" },
    });
  response.headers.set("cache-control", "no-store");
  programHeaders(response, services.config);
  return response;
}

async function readiness({ readiness, config }: Services): Promise<Response> {
  const { status, checks } = await readiness.check();
  return Response.json({ status, version: VERSION, revision: config.revision, checks }, {
    status: status === "not_ready" ? 503 : 200,
  });
}
