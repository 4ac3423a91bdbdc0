import CopySamples from "../../../../../islands/CopySamples.tsx";
import { renderIssuer } from "../../../../../components/console/issuers/render_issuer.tsx";
import { requireLayer, requirePasskey } from "../../../../../lib/features/console/access.ts";
import { readOwnIssuer } from "../../../../../lib/features/console/own_issuers.ts";
import {
  batchFormSchema,
  keepCsv,
  MAX_FILE,
} from "../../../../../lib/features/issuing/batches/mod.ts";
import { checkInput } from "../../../../../lib/platform/http/body.ts";
import { unwrap } from "../../../../../lib/platform/http/errors.ts";
import {
  fileOf,
  orShowFileForm,
  readFileForm,
} from "../../../../../lib/platform/http/file_form.ts";
import { route } from "../../../../../lib/app/state.ts";

/** Issues documents from a file, for full administrators. */
export const handler = route({
  async POST(ctx) {
    const { state, req, params } = ctx;
    const { email: by } = requireLayer(state, "L1");
    requirePasskey(state);
    const issuer = await readOwnIssuer(state, params.id);
    const { batches } = state.services;
    return await orShowFileForm(() => readFileForm(req, MAX_FILE), async (form) => {
      const { mode, ...defaults } = checkInput(batchFormSchema, form.fields);
      const { name, body } = fileOf(form);
      const chunks = await keepCsv(req, body);
      const { rows } = unwrap(await batches.check(issuer, chunks, defaults));
      const owner = { issuer, test: mode === "test" };
      const { batch } = unwrap(await batches.add(owner, { name: name.slice(0, 255), by, rows }));
      return ctx.redirect(`/console/issuers/${issuer.id}/batches/${batch.id}`, 303);
    }, ({ values, ...problem }, status) => {
      const refused = { ...problem, values: { ...values, act: "add_batch" } };
      return renderIssuer(ctx, <CopySamples />, { refused, status });
    });
  },
});
