/** The middleware that decides by a request's host which site responds. */
import type { Middleware } from "fresh";
import type { Config } from "../config.ts";
import { NO_GATE } from "../../features/passkeys/mod.ts";
import { type Problem, problemResponse } from "../../platform/http/errors.ts";
import { hostnameOf, pathnameOf } from "../../platform/http/request_url.ts";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";
import { advertise, programHeaders } from "./headers.ts";

/** The maximum length of a request's URL, so that parsing it later is always cheap. */
const ADDRESS_LIMIT = 8_192;

/**
 * Selects the surface by the `Host` header alone and initialises `ctx.state`. Requests for a relay's
 * host are passed to the relay.
 */
export function surface(services: Services): Middleware<State> {
  const { surfaces, relayOf, config } = services;
  return (ctx) => {
    const hostname = hostnameOf(ctx.req);
    const relay = relayOf(hostname);
    if (relay !== undefined) return relay(ctx.req, ctx.info);
    const surface = surfaces.byHost(hostname);
    if (ctx.req.url.length > ADDRESS_LIMIT) {
      const response = refuse(config, {
        status: 414,
        code: "uri_too_long",
        message: `The address is longer than ${ADDRESS_LIMIT} characters.`,
      });
      advertise(response, surface, services);
      return response;
    }
    if (surface === undefined) {
      return refuse(config, {
        status: 421,
        code: "misdirected_request",
        message: "No surface has this host; see SURFACE_HOSTS.",
      });
    }
    ctx.state.services = services;
    ctx.state.surface = surface;
    ctx.state.pathname = pathnameOf(ctx);
    ctx.state.session = null;
    ctx.state.layer = null;
    ctx.state.layerRow = null;
    ctx.state.gate = NO_GATE;
    ctx.state.holder = null;
    ctx.state.readSession = nothing;
    ctx.state.readHolder = nothing;
    ctx.state.unreadAlerts = 0;
    ctx.state.openAlerts = [];
    ctx.state.openAlertKinds = {};
    ctx.state.recordOverview = null;
    ctx.state.inboxCounts = null;
    ctx.state.overview = null;
    ctx.state.scripts = true;
    ctx.state.shared = false;
    ctx.state.headers = null;
    ctx.state.policy = null;
    ctx.state.bare = false;
    return ctx.next();
  };
}

const nothing = () => Promise.resolve();

/** Returns the response to a request that no surface serves. */
export function refuse(config: Config, problem: Problem): Response {
  const response = problemResponse(problem);
  programHeaders(response, config);
  return response;
}
