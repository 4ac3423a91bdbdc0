import type { Context } from "fresh";
import { DeclarationPage } from "../../components/records/DeclarationPage.tsx";
import { checkInput, isFormPost, readInput } from "../../lib/http/body.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { RequestError, unwrap } from "../../lib/http/errors.ts";
import { declarationSchema, readerOfContext, requireHolder } from "../../lib/records/mod.ts";
import { define, type State } from "../../lib/state.ts";

/** The intent declaration: its form, and the deliberate act of sending it. */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => render(ctx, {}),
  async POST(ctx) {
    const { record } = requireHolder(ctx.state);
    const input = await readInput(ctx.req);
    try {
      const { text } = checkInput(declarationSchema, input);
      const { declare } = ctx.state.services.records;
      const { level, version } = unwrap(await declare(record, text, readerOfContext(ctx)));
      if (!isFormPost(ctx.req)) return Response.json({ level, version });
      return ctx.redirect("/my-record#declaration", 303);
    } catch (error) {
      if (!(error instanceof RequestError) || !isFormPost(ctx.req)) throw error;
      const { issues, status, message } = error;
      const { text: typed } = input as Record<string, string>;
      return await render(ctx, { typed, issues, problem: issues ? undefined : message }, status);
    }
  },
}));

async function render(
  ctx: Context<State>,
  form: { typed?: string; issues?: Record<string, string>; problem?: string },
  status = 200,
) {
  const { record } = requireHolder(ctx.state);
  const found = await ctx.state.services.records.read(record);
  if (found === null) throw new RequestError(401);
  ctx.state.scripts = false;
  const declarations = found.contact.value.declarations ?? [];
  return await ctx.render(<DeclarationPage declarations={declarations} {...form} />, { status });
}
