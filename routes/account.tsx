import { page } from "fresh";
import { AccountPage } from "../components/auth/AccountPage.tsx";
import { themeOf } from "../lib/http/theme.ts";
import { define, pageHandler } from "../lib/state.ts";

export const handler = pageHandler({
  GET(ctx) {
    const { session } = ctx.state;
    if (session === null) return ctx.redirect("/auth");
    ctx.state.bare = true;
    return page({ email: session.email, theme: themeOf(ctx.req) });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <AccountPage state={state} {...data} />
));
