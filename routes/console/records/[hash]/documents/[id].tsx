import type { Context } from "fresh";
import { z } from "zod";
import { ConsoleFrame } from "../../../../../components/console/ConsoleFrame.tsx";
import {
  type DocumentAct,
  DocumentPage,
} from "../../../../../components/documents/DocumentPage.tsx";
import type { RefusedForm } from "../../../../../components/documents/DocumentFields.tsx";
import { requireLayer } from "../../../../../lib/console/access.ts";
import { readOwnDocument } from "../../../../../lib/console/own_records.ts";
import {
  documentSchema,
  UPLOAD_LIMIT,
  withdrawalSchema,
} from "../../../../../lib/documents/mod.ts";
import { checkInput, isFormPost, readInput } from "../../../../../lib/http/body.ts";
import { endpoint } from "../../../../../lib/http/endpoint.ts";
import { RequestError, unwrap } from "../../../../../lib/http/errors.ts";
import { drain, type FileForm, fileOf, readFileForm } from "../../../../../lib/http/file_form.ts";
import { define, type State } from "../../../../../lib/state.ts";

const actSchema = z.object({ act: z.enum(["edit", "withdraw"]) });

/** One document, for full administrators, who replace, withdraw and describe it. */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    const { document: { id } } = await readOwnDocument(ctx.state, ctx.params);
    let form: FileForm = { fields: { act: "replace" }, file: null };
    try {
      if (isFormPost(ctx.req)) {
        form = { fields: await readInput(ctx.req) as Record<string, string>, file: null };
        await change(ctx, id, by, form.fields);
      } else {
        form = await readFileForm(ctx.req, UPLOAD_LIMIT);
        const { name: file_name, body } = fileOf(form);
        unwrap(await ctx.state.services.documents.addVersion(id, { file_name, by }, body));
      }
      return ctx.redirect(ctx.url.pathname, 303);
    } catch (error) {
      await drain(form);
      if (!(error instanceof RequestError)) throw error;
      const { issues = {}, message, status } = error;
      const problem = error.issues === undefined ? message : undefined;
      const act = form.fields.act as DocumentAct;
      return await render(ctx, { act, values: form.fields, issues, problem }, status);
    }
  },
}));

async function change(
  ctx: Context<State>,
  id: string,
  by: string,
  given: Record<string, string>,
) {
  const { documents } = ctx.state.services;
  switch (checkInput(actSchema, given).act) {
    case "edit":
      return unwrap(await documents.edit(id, checkInput(documentSchema, given), by));
    case "withdraw":
      return unwrap(await documents.withdraw(id, checkInput(withdrawalSchema, given).reason, by));
  }
}

async function render(
  ctx: Context<State>,
  refused?: RefusedForm & { act: DocumentAct },
  status = 200,
) {
  const { state, url, req } = ctx;
  const operator = requireLayer(state, "L1");
  const { document } = await readOwnDocument(state, ctx.params);
  const now = state.services.clock();
  const publicUrl = state.services.surfaces.url("trust", `/d/${document.id}`);
  return await ctx.render(
    <ConsoleFrame {...{ state, url, req }} visitor={operator} title="Document">
      <DocumentPage {...{ document, refused, now, publicUrl }} />
    </ConsoleFrame>,
    { status },
  );
}
