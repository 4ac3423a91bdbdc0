/** Finds the routes for which no cost is counted. */
import { routeFiles } from "../../lib/app/routes.ts";
import { RequestError } from "../../lib/platform/http/errors.ts";

const ROUTES = import.meta.resolve("../../routes/");

/** The requests that are not counted, with the reason. */
const NOT_COUNTED: [reason: string, ...requests: string[]][] = [
  [
    "is only in development",
    "GET /site",
    "GET /marketing",
    "GET /dev/charts",
    "GET /dev/components",
  ],
  ["is only in development", "GET /dev/outbox", "GET /dev/outbox/:id", "GET /dev/version"],
  ["is only in development", "GET /dev/payments", "POST /dev/payments", "GET /dev/phone"],
  [
    "is only in development",
    "POST /dev/phone",
    "GET /dev/push",
    "POST /dev/push",
    "GET /dev/webhooks",
  ],
  ["needs a configuration that few sites have", "GET /.well-known/mcp-registry-auth"],
  ["needs a configuration that few sites have", "GET /oauth/protected-resource"],
  [
    "needs a configuration that few sites have",
    "GET /.well-known/oauth-authorization-server/oauth",
    "GET /log/previous",
  ],
  ["is a static file of a package", "GET /pdfjs/:version/:file"],
];

/** A request that was sent: its method, and its path without the query. */
interface Sent {
  method: string;
  path: string;
}

/**
 * Returns the routes, with their methods, that no request was sent to, and those that are excepted although
 * one was.
 */
export async function uncovered(sent: readonly Sent[]): Promise<string[]> {
  const missing: string[] = [];
  const excepted = new Set(NOT_COUNTED.flatMap(([, ...requests]) => requests));
  for (const { file, pattern: route } of await routeFiles(ROUTES)) {
    const pattern = new URLPattern({ pathname: route });
    const methods = sent.filter(({ path }) => pattern.test(`http://x${path}`))
      .map(({ method }) => method);
    for (const method of await methodsOf(file)) {
      const isSent = method === "any" ? methods.length > 0 : methods.includes(method);
      const name = `${method} ${route}`;
      if (!isSent && !excepted.has(name)) missing.push(`No request for ${name} is counted.`);
      if (isSent && excepted.has(name)) missing.push(`${name} is counted and needs no exception.`);
    }
  }
  return missing;
}

/** Returns the methods of a route that its handler names when it refuses another one; `any` if it does not. */
async function methodsOf(file: string): Promise<string[]> {
  const req = new Request("http://x/", { method: "PROPFIND" });
  const { handler } = await import(ROUTES + file);
  try {
    await handler({ req, url: new URL(req.url), params: {}, state: { surface: {}, services: {} } });
  } catch (error) {
    const allow = error instanceof RequestError ? new Headers(error.headers).get("allow") : null;
    if (allow !== null) return allow.split(", ").filter((method) => method !== "HEAD");
  }
  return ["any"];
}
