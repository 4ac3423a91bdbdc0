/** The upload of a CSV file in the console, to issue many certificates at once. */
import type { Context } from "fresh";
import { UploadPage } from "../../../../../components/issuing/UploadPage.tsx";
import { renderConsole } from "../../../../../components/console/render_console.tsx";
import { requireLayer, requirePasskey } from "../../../../../lib/features/console/http.ts";
import { checkUpload } from "../../../../../lib/features/issuing/check_upload.ts";
import { batchPath } from "../../../../../lib/features/issuing/console_batches.ts";
import { readOwnIssuer } from "../../../../../lib/features/issuers/http/requests.ts";
import { issuerPath } from "../../../../../lib/features/issuers/issuer_path.ts";
import { keepCsv, MAX_FILE } from "../../../../../lib/features/issuing/batches/mod.ts";
import { unwrap } from "../../../../../lib/platform/http/errors.ts";
import {
  orShowFileForm,
  readFileForm,
  type RefusedForm,
} from "../../../../../lib/platform/http/file_form.ts";
import { route, type State } from "../../../../../lib/app/state.ts";

/** The form with a file of documents, for full administrators. A file without problems leads to a page about it. */
export const handler = route({
  GET(ctx) {
    requireLayer(ctx.state, "L1");
    return render(ctx);
  },
  async POST(ctx) {
    const { state, req, params } = ctx;
    const { email: by } = requireLayer(state, "L1");
    requirePasskey(state);
    const issuer = await readOwnIssuer(state, params.id);
    const { batches } = state.services;
    return await orShowFileForm(() => readFileForm(req, MAX_FILE), async (form) => {
      const { fields, file } = form;
      const chunks = file && await keepCsv(req, file.body);
      const checked = unwrap(await checkUpload(batches, issuer, { fields, chunks }));
      const { test, title, rows, leftOut } = checked;
      const kept = { title, name: file!.name.slice(0, 255), by, rows, leftOut };
      const { batch } = unwrap(await batches.checked.keep({ issuer, test }, kept));
      return ctx.redirect(batchPath(batch), 303);
    }, (refused, status) => render(ctx, refused, status));
  },
});

async function render(ctx: Context<State>, refused?: RefusedForm, status = 200): Promise<Response> {
  const { state, params, url } = ctx;
  const issuer = await readOwnIssuer(state, params.id);
  const path = issuerPath(issuer.id);
  return await renderConsole(
    ctx,
    {
      title: "Issue certificates",
      crumbs: [{ href: path, text: issuer.name }, { href: `${path}/batches`, text: "Batches" }],
      refused: refused !== undefined,
    },
    <UploadPage
      issuer={issuer.name}
      path={url.pathname}
      exampleUrl={state.services.surfaces.url("api", "/docs/issuing/graduates.csv")}
      now={state.services.clock()}
      refused={refused}
    />,
    { status },
  );
}
