/** The health, readiness and metrics endpoints. */
import { SECOND_MS } from "../../base/time.ts";
import { VERSION } from "../../platform/config/release.ts";
import { problemResponse } from "../../platform/http/errors.ts";
import { hostnameOf } from "../../platform/http/request_url.ts";
import { readLogState } from "../../features/log/mod.ts";
import { isSameSecret } from "../../platform/kv/hash.ts";
import { rulesOf } from "../../platform/kv/mod.ts";
import type { Services } from "../services.ts";
import { advertise, programHeaders } from "./headers.ts";

/** Responds to a GET request of an operator's tool. */
type Endpoint = (services: Services, req: Request) => Response | Promise<Response>;

/** The paths that load balancers and monitoring request, with any host name but a relay's, or none. */
const ENDPOINTS: [path: string, endpoint: Endpoint][] = [
  ["/healthz", () => new Response("ok\n")],
  ["/readyz", readiness],
  ["/metrics", metrics],
];

/**
 * Responds to the requests of an operator's tools before anything else looks at them: `/healthz`
 * touches nothing, `/readyz` reads the store and the log's state, and `/metrics` requires a token.
 *
 * @returns a function that returns null for all other requests, and for those to a relay's host
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
        // A relay's host has nothing without its slug (spec 7.3).
        if (services.relayOf(hostnameOf(req)) !== undefined) return null;
        // Requests share a check of the store, and Deno can begin one in the scope of an earlier one.
        return services.requestScope.outside(() => respond(services, req, endpoint));
      }
    }
    return null;
  };
}

const isEnd = (next: string | undefined) => next === undefined || next === "?";

async function respond(
  services: Services,
  req: Request,
  endpoint: Endpoint,
): Promise<Response> {
  const response = req.method === "GET" || req.method === "HEAD"
    ? await endpoint(services, req)
    : problemResponse({
      status: 405,
      code: "method_not_allowed",
      message: "This address does not support that method.",
      headers: { allow: "GET, HEAD" },
    });
  response.headers.set("cache-control", "no-store");
  programHeaders(response, services.config);
  advertise(response, services.surfaces.byHost(hostnameOf(req)), services);
  return response;
}

async function readiness(
  { readiness, config, kv, surfaces }: Services,
): Promise<Response> {
  const isLog = surfaces.get("trust") !== undefined;
  const [{ status, checks }, log] = await Promise.all([
    readiness.check(),
    // A log that waits or is halted serves, so it does not make the process unready.
    isLog && !readiness.stopping
      ? rulesOf(kv).deadlines.within(SECOND_MS, () => readLogState(kv)).catch(() => undefined)
      : undefined,
  ]);
  const body = { status, version: VERSION, revision: config.revision, checks: { ...checks, log } };
  return Response.json(body, {
    status: status === "not_ready" ? 503 : 200,
  });
}

/** Returns the metrics in the text format of Prometheus, or 404 if there is no `METRICS_TOKEN`. */
async function metrics(
  { config: { telemetry: { metricsToken } }, metrics }: Services,
  req: Request,
): Promise<Response> {
  if (metricsToken === undefined) {
    return problemResponse({ status: 404, code: "not_found", message: "There is nothing here." });
  }
  if (!isSameSecret(`Bearer ${metricsToken}`, req.headers.get("authorization") ?? "")) {
    return problemResponse({
      status: 401,
      code: "unauthenticated",
      message: "Send METRICS_TOKEN as the bearer token.",
      headers: { "www-authenticate": "Bearer" },
    });
  }
  const all = await metrics.collect();
  return new Response(await all.metrics(), { headers: { "content-type": all.contentType } });
}
