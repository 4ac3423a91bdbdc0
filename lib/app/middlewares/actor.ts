import type { Middleware } from "fresh";
import { hostnameOf } from "../../platform/http/request_url.ts";
import { limitDownload } from "../../platform/http/limited_body.ts";
import { actAs, Actor, rulesOf } from "../../platform/kv/mod.ts";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";

/**
 * Gives each request an actor of its own, to which its log lines and its writes belong, because Deno can begin a
 * request in the scope of an earlier one. The response has the id that the log lines have. Downloads end with the authority that the request demanded.
 */
export function actor({ kv, clock, requestScope, relayOf }: Services): Middleware<State> {
  const store = rulesOf(kv);
  return (ctx) => {
    const id = requestScope.idFor(ctx.req);
    const actor = new Actor(id, store, clock);
    ctx.state.actor = actor;
    return actAs(actor, () => ctx.next()).then((response) => {
      actor.end();
      // Responses of relays are those of their origin.
      if (relayOf(hostnameOf(ctx.req)) === undefined) response.headers.set("request-id", id);
      return limitDownload(response, actor);
    }, (error) => {
      actor.end();
      throw error;
    });
  };
}
