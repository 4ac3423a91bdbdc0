import { askedNote } from "../../components/auth/asked_note.ts";
import { renderAuthPage } from "../../components/auth/AuthPage.tsx";
import { clientKey, landingOn, nextOn } from "../../lib/features/auth/mod.ts";
import { clientOf } from "../../lib/platform/http/client_address.ts";
import { route } from "../../lib/app/state.ts";

/** The page for signing up and signing in (spec 4.3). */
export const handler = route({
  async GET(ctx) {
    const { surface, session, services: { auth } } = ctx.state;
    const query = ctx.url.searchParams;
    const expired = query.get("error") === "expired";
    // An operator needs a new session to add a passkey.
    const again = query.get("again") === "1" && surface.signIn!.operatorsOnly;
    const landing = landingOn(surface, query.get("next"));
    if (session !== null && !again) {
      if (!expired) return ctx.redirect(landing);
      return renderAuthPage(ctx, { phase: "signed-in", email: session.email, landing });
    }
    const next = nextOn(surface, query.get("next"));
    const cookieLost = session === null && await auth.wasLinkUsed({
      surface: surface.name,
      client: clientKey(ctx.req, clientOf(ctx)),
    });
    const asked = await askedNote(ctx.req, auth.askedRequest);
    return await renderAuthPage(ctx, {
      phase: "ask",
      email: "",
      next,
      expired,
      cookieLost,
      asked,
    });
  },
});
