/** The form in which holders change their name, address or number. */
import type { Context } from "fresh";
import { z } from "zod";
import { CorrectPage } from "../../components/records/CorrectPage.tsx";
import { bodyOfControls, type FormValues } from "../../lib/features/contact/fields.ts";
import { enquirySchema } from "../../lib/features/contact/mod.ts";
import { checkInput, isFormPost, readInput } from "../../lib/platform/http/body.ts";
import { type Problem, unwrap } from "../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../lib/platform/http/form_post.ts";
import { renderWithoutScripts } from "../../lib/platform/http/render.ts";
import {
  readerOfContext,
  requireOpenRecord,
  requireRecent,
} from "../../lib/features/records/mod.ts";
import { route, type State } from "../../lib/app/state.ts";

const actionSchema = z.object({ act: z.enum(["correct", "open", "withdraw"]).default("correct") });

/** The correction of the holder's contact data. */
export const handler = route({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { record, session } = requireRecent(ctx.state, { waiting: true });
    const { correction } = ctx.state.services.records;
    const reader = readerOfContext(ctx);
    const input = await readInput(ctx.req);
    const { act: action } = checkInput(actionSchema, input);
    if (action === "open") {
      unwrap(await correction.open(session, record));
      return ctx.redirect("/my-record/number", 303);
    }
    if (action === "withdraw") {
      await correction.withdraw(record, reader);
      return ctx.redirect("/my-record", 303);
    }
    return await orShowForm(ctx.req, async () => {
      const body = isFormPost(ctx.req) ? bodyOfControls(input as FormValues) : input;
      const enquiry = checkInput(enquirySchema, body);
      const { to, waitsFor } = unwrap(await correction.start(record, enquiry, reader));
      const page = waitsFor === null ? "/my-record" : "/my-record/correct";
      return formDone(ctx.req, page, { hash: to, waits_for: waitsFor });
    }, (problem) => render(ctx, problem, input as FormValues));
  },
});

async function render(ctx: Context<State>, problem?: Problem, values?: FormValues) {
  const { record, recent } = requireOpenRecord(ctx.state, { waiting: true });
  const waiting = await ctx.state.services.records.correction.waiting(record);
  const page = <CorrectPage {...{ record, recent, waiting, values, problem }} />;
  return await renderWithoutScripts(ctx, page, problem);
}
