/** The console's page about one document of a record, with the forms that change it. */
import type { Context } from "fresh";
import { z } from "zod";
import { renderConsole } from "../../../../../components/console/render_console.tsx";
import { DocumentPage } from "../../../../../components/documents/DocumentPage.tsx";
import {
  type ConsoleResult,
  documentResult,
  readConsoleResult,
  withConsoleResult,
} from "../../../../../lib/features/console/results.ts";
import { requireLayer, requirePasskey } from "../../../../../lib/features/console/http.ts";
import { readOwnDocument } from "../../../../../lib/features/documents/http.ts";
import {
  contentOf,
  documentPath,
  documentSchema,
  readLogs,
  UPLOAD_LIMIT,
  versionSchema,
  withdrawalSchema,
} from "../../../../../lib/features/documents/mod.ts";
import { checkInput, isFormPost, readInput } from "../../../../../lib/platform/http/body.ts";
import { unwrap } from "../../../../../lib/platform/http/errors.ts";
import {
  type FileForm,
  orShowFileForm,
  readFileForm,
  type RefusedForm,
} from "../../../../../lib/platform/http/file_form.ts";
import { route, type State } from "../../../../../lib/app/state.ts";

const actionSchema = z.object({ act: z.enum(["edit", "withdraw"]) });

/** One document, for full administrators, who replace, withdraw and describe it. */
export const handler = route({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    requirePasskey(ctx.state);
    const { document: { id } } = await readOwnDocument(ctx.state, ctx.params);
    return await orShowFileForm(() => readForm(ctx.req), async (form) => {
      const done = await change(ctx, id, by, form);
      return ctx.redirect(await withConsoleResult(ctx.state, ctx.url.pathname, done), 303);
    }, (refused, status) => render(ctx, refused, status));
  },
});

/** Only the form with a new version is sent as a form with a file. */
const readForm = async (req: Request): Promise<FileForm> =>
  isFormPost(req)
    ? { fields: await readInput(req) as FileForm["fields"], file: null }
    : await readFileForm(req, UPLOAD_LIMIT);

/** Changes a document. Returns the result, for the URL of the page that shows it. */
async function change(
  { req, state }: Context<State>,
  id: string,
  by: string,
  form: FileForm,
): Promise<ConsoleResult> {
  const { documents } = state.services;
  const { fields } = form;
  if (!isFormPost(req)) {
    const { file_name, content } = await contentOf(form, { staged: documents.staged, by });
    const chosen = checkInput(versionSchema, fields);
    const version = { ...chosen, file_name, by, askHash: "file_hash" as const };
    unwrap(await documents.addVersion(id, version, content));
    return "replace";
  }
  const { act } = checkInput(actionSchema, fields);
  if (act === "edit") unwrap(await documents.edit(id, checkInput(documentSchema, fields), by));
  else unwrap(await documents.withdraw(id, checkInput(withdrawalSchema, fields).reason, by));
  return act;
}

async function render(ctx: Context<State>, refused?: RefusedForm, status = 200) {
  const { state, url } = ctx;
  requireLayer(state, "L1");
  requirePasskey(state);
  const { document, record } = await readOwnDocument(state, ctx.params);
  const { name: holder } = record.contact.value.record;
  const result = refused === undefined
    ? documentResult(await readConsoleResult(state, url), document)
    : null;
  const now = state.services.clock();
  const logs = await readLogs(state.services.publicLog, document);
  const publicUrl = state.services.surfaces.url("trust", documentPath(document.id));
  const view = <DocumentPage {...{ document, logs, holder, refused, result, now, publicUrl }} />;
  return await renderConsole(ctx, { title: "Document" }, view, { status });
}
