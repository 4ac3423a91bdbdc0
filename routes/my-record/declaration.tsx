import type { Context } from "fresh";
import { DeclarationPage } from "../../components/records/DeclarationPage.tsx";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { type Problem, unwrap } from "../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../lib/platform/http/form_post.ts";
import { renderWithoutScripts } from "../../lib/platform/http/render.ts";
import {
  declarationSchema,
  readerOfContext,
  requireHolder,
  requireOpenRecord,
} from "../../lib/features/records/mod.ts";
import { route, type State } from "../../lib/app/state.ts";

/** The intent declaration: its form, and the deliberate action of sending it. */
export const handler = route({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { record } = requireHolder(ctx.state);
    const input = await readInput(ctx.req);
    return await orShowForm(ctx.req, async () => {
      const { text } = checkInput(declarationSchema, input);
      const { declare } = ctx.state.services.records;
      const { level, version } = unwrap(await declare(record, text, readerOfContext(ctx)));
      return formDone(ctx.req, "/my-record#declaration", { level, version });
    }, (problem) => render(ctx, problem, (input as Record<string, string>).text));
  },
});

async function render(ctx: Context<State>, problem?: Problem, typed?: string) {
  const { record } = requireOpenRecord(ctx.state);
  const declarations = record.contact.value.declarations ?? [];
  const page = <DeclarationPage {...{ declarations, problem, typed }} />;
  return await renderWithoutScripts(ctx, page, problem);
}
