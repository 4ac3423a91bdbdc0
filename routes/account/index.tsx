import { page } from "fresh";
import { AccountPage } from "../../components/auth/AccountPage.tsx";
import { themeChoiceOf } from "../../lib/platform/http/theme.ts";
import { define, pageHandler } from "../../lib/app/state.ts";

export const handler = pageHandler({
  async GET(ctx) {
    const { session, services, surface } = ctx.state;
    if (session === null) return ctx.redirect("/auth");
    ctx.state.bare = true;
    const items = surface.serves("/account/saved")
      ? await services.saved.read(session.user_id)
      : null;
    return page({ email: session.email, theme: themeChoiceOf(ctx.req), items });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <AccountPage state={state} {...data} />
));
