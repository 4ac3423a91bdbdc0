import type { Context } from "fresh";
import { z } from "zod";
import { CorrectPage, valuesOf } from "../../components/records/CorrectPage.tsx";
import { bodyOfControls, type FormValues } from "../../lib/contact/fields.ts";
import { enquirySchema } from "../../lib/contact/mod.ts";
import { checkInput, isFormPost, readInput } from "../../lib/http/body.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { RequestError, unwrap } from "../../lib/http/errors.ts";
import { isRecent, readerOfContext, requireHolder, requireRecent } from "../../lib/records/mod.ts";
import { define, type State } from "../../lib/state.ts";

const actSchema = z.object({ act: z.enum(["correct", "open", "withdraw"]).default("correct") });

/** The correction of the holder's contact data. */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => render(ctx, {}),
  async POST(ctx) {
    const { record, session } = requireRecent(ctx.state);
    const { correction } = ctx.state.services.records;
    const reader = readerOfContext(ctx);
    const input = await readInput(ctx.req);
    const { act } = checkInput(actSchema, input);
    if (act === "open") {
      unwrap(await correction.open(session, record));
      return ctx.redirect("/my-record/number", 303);
    }
    if (act === "withdraw") {
      await correction.withdraw(record, reader);
      return ctx.redirect("/my-record", 303);
    }
    const form = isFormPost(ctx.req);
    try {
      const body = form ? bodyOfControls(input as FormValues) : input;
      const { to, waitsFor } = unwrap(
        await correction.start(record, checkInput(enquirySchema, body), reader),
      );
      if (!form) return Response.json({ hash: to, waits_for: waitsFor });
      return ctx.redirect(waitsFor === null ? "/my-record" : "/my-record/correct", 303);
    } catch (error) {
      if (!(error instanceof RequestError) || !form) throw error;
      const { issues, status, message } = error;
      const problem = issues === undefined ? message : "Please check the form.";
      return await render(ctx, { values: input as FormValues, issues, problem }, status);
    }
  },
}));

async function render(
  ctx: Context<State>,
  form: { values?: FormValues; issues?: Record<string, string>; problem?: string },
  status = 200,
) {
  const { record: hash, session } = requireHolder(ctx.state);
  const { records, clock } = ctx.state.services;
  const record = await records.read(hash);
  if (record === null) throw new RequestError(401);
  ctx.state.scripts = false;
  const props = {
    values: valuesOf(record.contact.value.record),
    recent: isRecent(session, clock()),
    waiting: await records.correction.waiting(record),
    ...form,
  };
  return await ctx.render(<CorrectPage {...props} />, { status });
}
