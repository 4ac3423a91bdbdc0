import type { Context } from "fresh";
import { RequestsPage } from "../../components/documents/AccessRequests.tsx";
import { decisionResult, decisionSchema } from "../../lib/features/documents/mod.ts";
import { resultIn, withResult } from "../../lib/platform/http/action_result.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { type Problem, unwrap } from "../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../lib/platform/http/form_post.ts";
import { readerOfContext, requireHolder, requireRecent } from "../../lib/features/records/mod.ts";
import { route, type State } from "../../lib/app/state.ts";

/**
 * The requests for access to the documents of the holder's record. POST decides on one. To approve
 * it, the holder must have signed in recently: a stolen session must not open documents.
 */
export const handler = route({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { record } = requireHolder(ctx.state);
    const input = await readInput(ctx.req);
    // Outside the form, because the sign-in page comes first.
    if ((input as { act?: unknown }).act === "approve") requireRecent(ctx.state);
    return await orShowForm(ctx.req, async () => {
      const decision = checkInput(decisionSchema, input);
      const decider = { record, reader: readerOfContext(ctx) };
      unwrap(await ctx.state.services.access.decide({ ...decision, decider }));
      const { act, id } = decision;
      return formDone(ctx.req, withResult("/my-record/requests", act, id));
    }, (problem) => render(ctx, problem));
  },
});

async function render(ctx: Context<State>, problem?: Problem): Promise<Response> {
  const requests = await ctx.state.services.access.list(requireHolder(ctx.state).record);
  const { done, of } = resultIn(ctx.url);
  const decided = problem ? undefined : requests.find(({ id }) => id === of);
  const at = { by: "holder", now: ctx.state.services.clock() };
  const result = decided === undefined ? null : decisionResult(done, decided, at);
  return await ctx.render(<RequestsPage {...{ requests, result, problem }} />, problem);
}
