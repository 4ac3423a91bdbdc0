import type { Context } from "fresh";
import { z } from "zod";
import { DeletePage, DeletionScheduledPage } from "../../components/records/DeletePage.tsx";
import { maskEmail } from "../../lib/contact/mod.ts";
import { checkInput, readInput } from "../../lib/http/body.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { RequestError, unwrap } from "../../lib/http/errors.ts";
import {
  clearedRecordCookie,
  isRecent,
  readerOfContext,
  requireHolder,
  requireRecent,
  requireRecentSession,
} from "../../lib/records/mod.ts";
import { define, type State } from "../../lib/state.ts";

const input = z.object({
  act: z.enum(["delete", "cancel"]).default("delete"),
  digits: z.string().max(20).default(""),
});

/** Schedules the deletion of the holder's record, or cancels it. */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => renderForm(ctx),
  async POST(ctx) {
    const { deletion } = ctx.state.services.records;
    const { act, digits } = checkInput(input, await readInput(ctx.req));
    if (act === "cancel") {
      const { record } = requireRecentSession(ctx.state);
      unwrap(await deletion.cancel(record, readerOfContext(ctx)));
      return ctx.redirect("/my-record", 303);
    }
    const { record } = requireRecent(ctx.state);
    if (digits.trim().toLowerCase() !== record.slice(-4)) {
      return await renderForm(ctx, "These are not the last four digits of the hash.");
    }
    const email = await emailOf(ctx, record);
    const { at } = unwrap(await deletion.request(record, readerOfContext(ctx)));
    ctx.state.scripts = false;
    const response = await ctx.render(<DeletionScheduledPage at={at} email={email} />);
    response.headers.append("set-cookie", clearedRecordCookie());
    return response;
  },
}));

async function renderForm(ctx: Context<State>, problem?: string) {
  const { record, session } = requireHolder(ctx.state);
  ctx.state.scripts = false;
  const recent = isRecent(session, ctx.state.services.clock());
  const props = { hash: record, email: await emailOf(ctx, record), recent, problem };
  return await ctx.render(<DeletePage {...props} />, { status: problem === undefined ? 200 : 400 });
}

async function emailOf({ state }: Context<State>, hash: string): Promise<string> {
  const record = await state.services.records.read(hash);
  if (record === null) throw new RequestError(404);
  return maskEmail(record.contact.value.record.email);
}
