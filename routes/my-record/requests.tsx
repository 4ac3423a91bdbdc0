import type { Context } from "fresh";
import { RequestsPage, withTitles } from "../../components/documents/AccessRequests.tsx";
import { decisionSchema } from "../../lib/documents/mod.ts";
import { checkInput, isFormPost, readInput } from "../../lib/http/body.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { RequestError, unwrap } from "../../lib/http/errors.ts";
import { readerOfContext, requireHolder } from "../../lib/records/mod.ts";
import { define, type State } from "../../lib/state.ts";

/** The requests for access to the documents of the holder's record. POST decides on one. */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { record } = requireHolder(ctx.state);
    const { access } = ctx.state.services;
    const input = await readInput(ctx.req);
    try {
      const decision = checkInput(decisionSchema, input);
      const decider = { record, reader: readerOfContext(ctx) };
      unwrap(await access.decide({ ...decision, decider }));
      if (!isFormPost(ctx.req)) return Response.json({ success: true });
      return ctx.redirect("/my-record/requests", 303);
    } catch (error) {
      if (!(error instanceof RequestError) || !isFormPost(ctx.req)) throw error;
      return await render(ctx, error.issues?.reason ?? error.message, error.status);
    }
  },
}));

async function render(ctx: Context<State>, problem?: string, status = 200): Promise<Response> {
  const { record } = requireHolder(ctx.state);
  const { access, documents } = ctx.state.services;
  const requests = withTitles(...await Promise.all([access.list(record), documents.list(record)]));
  ctx.state.scripts = false;
  return await ctx.render(<RequestsPage {...{ requests, problem }} />, { status });
}
