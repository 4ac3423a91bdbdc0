/** The console's list of accounts of the qualification site, with a search by address. */
import type { Context } from "fresh";
import { z } from "zod";
import { renderConsole } from "../../../components/console/render_console.tsx";
import { UsersPage, type UsersPageProps } from "../../../components/auth/UsersPages.tsx";
import { requireLayer } from "../../../lib/features/console/http.ts";
import { checkInput, invalidInput, readInput } from "../../../lib/platform/http/body.ts";
import { readConsoleResult, shownResult } from "../../../lib/features/console/results.ts";
import { userList } from "../../../lib/features/auth/console_users.ts";
import { RequestError } from "../../../lib/platform/http/errors.ts";
import { orShowForm } from "../../../lib/platform/http/form_post.ts";
import { emailSchema } from "../../../lib/platform/mail/mod.ts";
import { route, type State } from "../../../lib/app/state.ts";

const input = z.object({ email: emailSchema() });

/**
 * The users of the qualification site, for full administrators. The search is a POST, so that the
 * address is in no URL.
 */
export const handler = route({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    requireLayer(ctx.state, "L1");
    const given = await readInput(ctx.req);
    return await orShowForm(ctx.req, async () => {
      const { email } = checkInput(input, given);
      const user = await ctx.state.services.auth.findUser(email);
      if (user === null) throw new RequestError(404, "No user has this address.");
      return ctx.redirect(`/console/users/${user.id}`, 303);
    }, ({ status, message, issues }) => {
      const email = (given as { email?: string }).email?.slice(0, 300) ?? "";
      return render(ctx, { email, problem: issues?.email ?? message }, status);
    });
  },
});

async function render(ctx: Context<State>, search?: UsersPageProps["search"], status = 200) {
  requireLayer(ctx.state, "L1");
  const filters = userList.read(ctx.url.searchParams);
  if (filters.query === null) throw invalidInput(filters.issues);
  const { after } = filters.query;
  const { services } = ctx.state;
  const { auth, config } = services;
  const [list, { users }] = await Promise.all([auth.listUsers(after ?? null), auth.stats()]);
  const asked = await readConsoleResult(ctx.state, ctx.url);
  const result = shownResult(asked, { name: asked?.of });
  const view = { list, count: users, filters, result, search };
  return await renderConsole(
    ctx,
    { title: "Users" },
    <UsersPage product={config.productName} {...view} />,
    { status },
  );
}
