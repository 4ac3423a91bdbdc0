/** The app class of the site, which checks requests before Fresh handles them. */
import { App, type Middleware } from "fresh";
import { type Problem, RequestError } from "../../platform/http/errors.ts";
import { hostnameOf, namesOneHost } from "../../platform/http/request_url.ts";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";
import { operations } from "./operations.ts";
import { refuse } from "./surface.ts";

const NO_HOST: Problem = {
  status: 400,
  code: "invalid_request",
  message: "The request must name exactly one host.",
};

/** Sent if the server cannot stop listening by itself, as under `deno serve`. */
const STOPPING: Problem = {
  status: 503,
  code: "unavailable",
  message: "This server is restarting. Try again in a few seconds.",
  headers: { "retry-after": "2", connection: "close" },
};

/**
 * An app that accepts requests that Fresh cannot parse. Fresh parses the URL and decodes the route's
 * parameters before the first middleware runs, and a failure there returns 500 without headers.
 */
export class GuardedApp extends App<State> {
  #services: Services;
  /** Requests whose path contains an invalid percent sequence, with that path escaped. */
  #undecodable = new WeakSet<Request>();

  constructor(services: Services) {
    super();
    this.#services = services;
  }

  /**
   * Responds to an operator's tools, rejects requests while the process stops and those with a malformed
   * host, and passes all others to Fresh in a form it can parse.
   */
  override handler(): ReturnType<App<State>["handler"]> {
    const handle = super.handler();
    const operate = operations(this.#services);
    const { config, readiness } = this.#services;
    return (req, info) => {
      const operated = operate(req);
      if (operated !== null) return Promise.resolve(operated);
      const problem = readiness.stopping ? STOPPING : namesOneHost(req) ? null : NO_HOST;
      return problem === null
        ? handle(this.#decodable(req), info)
        : Promise.resolve(refuse(config, problem));
    };
  }

  /** Rejects paths with an invalid percent sequence, where the error page can be rendered. */
  rejectUndecodable(): Middleware<State> {
    return (ctx) => {
      if (!this.#undecodable.has(ctx.req)) return ctx.next();
      throw new RequestError(400, "The address contains an invalid percent sequence.");
    };
  }

  /**
   * Returns the request, or one with a decodable path that `rejectUndecodable` rejects. Relays get the
   * path unchanged.
   */
  #decodable(req: Request): Request {
    if (!req.url.includes("%")) return req;
    const [start, origin, path] = /^([^/]*\/\/[^/?#]*)([^?#]*)/.exec(req.url)!;
    if (canDecode(path) || this.#services.relayOf(hostnameOf(req)) !== undefined) return req;
    const url = origin + path.replaceAll("%", "%25") + req.url.slice(start.length);
    // The response is an error page in any case. A request cannot be created with every method that a server accepts.
    const escaped = new Request(url, { headers: req.headers });
    this.#undecodable.add(escaped);
    return escaped;
  }
}

function canDecode(path: string): boolean {
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
