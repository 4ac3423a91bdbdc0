/** The page on which holders approve or refuse readers who ask for a document. */
import type { Context } from "fresh";
import { RequestsPage } from "../../components/documents/AccessRequests.tsx";
import { decisionResult, decisionSchema } from "../../lib/features/documents/mod.ts";
import { readResult, withResult } from "../../lib/platform/http/action_result.ts";
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
    const { services } = ctx.state;
    const { record } = requireHolder(ctx.state);
    const input = await readInput(ctx.req);
    // Outside the form, because the sign-in page comes first.
    if ((input as { act?: unknown }).act === "approve") requireRecent(ctx.state);
    return await orShowForm(ctx.req, async () => {
      const decision = checkInput(decisionSchema, input);
      const decider = { record, reader: readerOfContext(ctx) };
      unwrap(await services.access.decide({ ...decision, decider }));
      const { act, id } = decision;
      return formDone(ctx.req, await withResult(services, record, "/my-record/requests", act, id));
    }, (problem) => render(ctx, problem));
  },
});

async function render(ctx: Context<State>, problem?: Problem): Promise<Response> {
  const { services } = ctx.state;
  const { record } = requireHolder(ctx.state);
  const requests = await services.access.list(record);
  const asked = problem ? null : await readResult(services, record, ctx.url);
  const decided = requests.find(({ id }) => id === asked?.of);
  const at = { by: "holder", now: services.clock() };
  const result = asked && decided ? decisionResult(asked, decided, at) : null;
  return await ctx.render(<RequestsPage {...{ requests, result, problem }} />, problem);
}
