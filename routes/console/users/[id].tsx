/** The console's page about one account of the qualification site, with its deletion. */
import type { Context } from "fresh";
import { z } from "zod";
import { renderConsole } from "../../../components/console/render_console.tsx";
import { UserPage } from "../../../components/auth/UsersPages.tsx";
import { requireLayer, requirePasskey } from "../../../lib/features/console/http.ts";
import { mailPath } from "../../../lib/features/mail_reports/mail.ts";
import { removeUser } from "../../../lib/features/auth/console_users.ts";
import { withConsoleResult } from "../../../lib/features/console/results.ts";
import { checkInput, readInput } from "../../../lib/platform/http/body.ts";
import { type Problem, RequestError, unwrap } from "../../../lib/platform/http/errors.ts";
import { readDeliveries } from "../../../lib/platform/jobs/mod.ts";
import { aboutUser } from "../../../lib/features/auth/mod.ts";
import { formDone, orShowForm } from "../../../lib/platform/http/form_post.ts";
import { route, type State } from "../../../lib/app/state.ts";

const input = z.object({
  confirm: z.literal("yes", "Confirm that you want to delete the account."),
});

/** One user of the qualification site, for full administrators, who can delete the account. */
export const handler = route({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    requirePasskey(ctx.state);
    const { services, surface: { organisation } } = ctx.state;
    const { id } = await readUser(ctx);
    const given = await readInput(ctx.req);
    return await orShowForm(ctx.req, async () => {
      checkInput(input, given);
      unwrap(await removeUser(services, { id, by, organisation }));
      return formDone(
        ctx.req,
        await withConsoleResult(ctx.state, "/console/users", "delete_user", String(id)),
      );
    }, (problem) => render(ctx, problem));
  },
});

async function readUser({ params, state }: Context<State>) {
  const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : null;
  const user = id === null ? null : await state.services.auth.readUser(id);
  if (user === null) throw new RequestError(404);
  return user;
}

async function render(ctx: Context<State>, refused?: Problem) {
  const operator = requireLayer(ctx.state, "L1");
  const user = await readUser(ctx);
  const problem = refused?.issues?.confirm ?? refused?.message;
  const { services: { operators, kv, clock, secrets }, surface: { organisation } } = ctx.state;
  const layer = await operators.layerOf(user.email, organisation);
  const mails = await readDeliveries(kv, aboutUser(user.id), clock());
  return await renderConsole(
    ctx,
    { title: `User ${user.id}` },
    <UserPage
      {...{ user, layer, mails, problem }}
      mailPath={await mailPath(secrets, user.email)}
      isSelf={user.email === operator.email}
    />,
    refused,
  );
}
