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
  /** Responses of relays are those of their origin. */
  const named = (req: Request, response: Response): Response => {
    if (relayOf(hostnameOf(req)) === undefined) {
      response.headers.set("request-id", requestScope.id()!);
    }
    return response;
  };
  return (ctx) => {
    const actor = new Actor(ctx.req, store, clock);
    ctx.state.actor = actor;
    return actAs(actor, () => ctx.next().then((response) => named(ctx.req, response)))
      .then((response) => limitDownload(response, actor))
      .finally(() => actor.end());
  };
}
