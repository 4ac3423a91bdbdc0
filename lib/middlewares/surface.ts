import type { Middleware } from "fresh";
import { problemResponse } from "../http/errors.ts";
import { hostOf } from "../http/host.ts";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";
import { programHeaders } from "./headers.ts";

/** The most characters of a request's address. Everything behind may then parse it as it likes. */
const ADDRESS_LIMIT = 8_192;

/**
 * Selects the surface by the `Host` header alone and initialises `ctx.state`.
 */
export function surface(services: Services): Middleware<State> {
  const { surfaces, config } = services;
  const refuse = (status: number, code: string, message: string) => {
    const response = problemResponse({ status, code, message });
    programHeaders(response, config);
    return response;
  };
  return (ctx) => {
    if (ctx.req.url.length > ADDRESS_LIMIT) {
      return refuse(414, "uri_too_long", `The address is longer than ${ADDRESS_LIMIT} characters.`);
    }
    const host = hostOf(ctx.req);
    if (host === null) {
      return refuse(400, "invalid_request", "The request must name exactly one host.");
    }
    const surface = surfaces.byHost(host);
    if (surface === undefined) {
      return refuse(421, "misdirected_request", "No surface has this host; see SURFACE_HOSTS.");
    }
    ctx.state.services = services;
    ctx.state.surface = surface;
    ctx.state.session = null;
    ctx.state.scripts = true;
    ctx.state.bare = false;
    return ctx.next();
  };
}
