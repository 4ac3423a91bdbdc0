import { page } from "fresh";
import { signInPath } from "../lib/sign_in/mod.ts";
import { define } from "../lib/state.ts";

export const handler = define.handlers({
  GET(ctx) {
    const { session } = ctx.state;
    return session === null ? ctx.redirect(signInPath(ctx.url)) : page({ email: session.email });
  },
});

export default define.page<typeof handler>(({ data, state }) => {
  const { name } = state.services.config.organisations[state.surface.organisation];
  return (
    <section class="prose">
      <p class="eyebrow">Operations console</p>
      <h1>{name}</h1>
      <p class="lead">
        You are signed in as{" "}
        <strong>{data.email}</strong>. The console does not open yet: nothing is shown here.
      </p>
      <form method="post" action="/api/auth/logout">
        <button type="submit" class="button">Sign out</button>
      </form>
    </section>
  );
});
