import type { Middleware } from "fresh";
import { limitDownload } from "../../platform/http/limited_body.ts";
import { actAs, Actor, rulesOf } from "../../platform/kv/mod.ts";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";

/**
 * Gives each request an actor of its own, to which its log lines and its writes belong, because Deno can begin a
 * request in the scope of an earlier one. Downloads end with the authority that the request demanded.
 */
export function actor({ kv, clock }: Services): Middleware<State> {
  const store = rulesOf(kv);
  return (ctx) => {
    const actor = new Actor(ctx.req, store, clock);
    ctx.state.actor = actor;
    return actAs(actor, () => ctx.next())
      .then((response) => limitDownload(response, actor))
      .finally(() => actor.end());
  };
}
