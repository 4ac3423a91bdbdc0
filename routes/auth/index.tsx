import { renderAuthPage } from "../../components/auth/AuthPage.tsx";
import { askedIn, landingOn, nextOn } from "../../lib/features/auth/mod.ts";
import { route } from "../../lib/app/state.ts";

/** The page for signing up and signing in (spec 4.3). */
export const handler = route({
  async GET(ctx) {
    const { surface, session, services: { auth } } = ctx.state;
    const query = ctx.url.searchParams;
    const expired = query.get("error") === "expired";
    // An operator needs a new session to add a passkey.
    const again = query.get("again") === "1" && surface.signIn!.operatorsOnly;
    if (session !== null && !expired && !again) {
      return ctx.redirect(landingOn(surface, query.get("next")));
    }
    const next = nextOn(surface, query.get("next"));
    const id = askedIn(ctx.req);
    const asked = id === null ? null : await auth.askedRequest(id);
    return await renderAuthPage(ctx, { phase: "ask", email: "", next, expired, asked });
  },
});
