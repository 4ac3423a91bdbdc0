/** The settings for push notifications about a record. */
import type { Context } from "fresh";
import {
  NotificationsPage,
  type NotificationsPageProps,
} from "../../components/push/NotificationsPage.tsx";
import { readResult, withResult } from "../../lib/platform/http/action_result.ts";
import { checkInput, isFormPost, readInput } from "../../lib/platform/http/body.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../lib/platform/http/form_post.ts";
import { notificationsSchema } from "../../lib/features/push/mod.ts";
import { browserKeyOf } from "../../lib/features/push/app/mod.ts";
import { readerOfContext, requireHolder } from "../../lib/features/records/mod.ts";
import { route, type State } from "../../lib/app/state.ts";

/** The page on which a holder chooses notifications and manages devices. */
export const handler = route({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { req, state: { services } } = ctx;
    const { push } = services;
    const { record } = requireHolder(ctx.state);
    const input = await readInput(req);
    return await orShowForm(req, async () => {
      const form = checkInput(notificationsSchema, input);
      if (form.act === "test") {
        const sent = unwrap(await push.test(record));
        return isFormPost(req) ? await render(ctx, { sent }) : ctx.json({ results: sent.results });
      }
      if (form.act === "remove") {
        await push.remove(record, form.id, readerOfContext(ctx));
        return formDone(req, "/my-record#notifications");
      }
      unwrap(await push.choose(record, form.choices, readerOfContext(ctx)));
      return formDone(req, await withResult(services, record, "/my-record/notifications", "saved"));
    }, (problem) => {
      const values = input as Record<string, string>;
      return render(ctx, { problem, ...values.act === "choose" ? { values } : {} });
    });
  },
});

async function render(
  ctx: Context<State>,
  props: Pick<NotificationsPageProps, "sent" | "problem" | "values"> = {},
) {
  const { services } = ctx.state;
  const { push, config } = services;
  const { record: hash } = requireHolder(ctx.state);
  const overview = await push.overview(hash);
  const vapid = browserKeyOf(config);
  const saved = ctx.req.method === "GET" && await readResult(services, hash, ctx.url) !== null;
  const page = <NotificationsPage {...{ overview, hash, vapid, saved, ...props }} />;
  return await ctx.render(page, props.problem);
}
