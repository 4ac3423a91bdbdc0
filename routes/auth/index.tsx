import { endpoint } from "../../lib/http/endpoint.ts";
import { authPage, landingOn, nextOn } from "../../lib/sign_in/mod.ts";
import { define, type State } from "../../lib/state.ts";

/** One page to sign up and to sign in (spec 4.3). */
export const handler = define.handlers(endpoint<State>({
  GET(ctx) {
    const { surface, session } = ctx.state;
    const query = ctx.url.searchParams;
    const expired = query.get("error") === "expired";
    if (session !== null && !expired) return ctx.redirect(landingOn(surface, query.get("next")));
    return authPage(ctx, {
      phase: "ask",
      email: "",
      next: nextOn(surface, query.get("next")),
      expired,
    });
  },
}));
