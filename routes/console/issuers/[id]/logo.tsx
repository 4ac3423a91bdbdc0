import CopySamples from "../../../../islands/CopySamples.tsx";
import { renderSections } from "../../../../components/console/issuers/render_issuer.tsx";
import { requireLayer, requirePasskey } from "../../../../lib/features/console/access.ts";
import { issuerPath, readOwnIssuer } from "../../../../lib/features/console/own_issuers.ts";
import { withConsoleResult } from "../../../../lib/features/console/results.ts";
import { MAX_LOGO } from "../../../../lib/features/issuers/mod.ts";
import { RequestError, unwrap } from "../../../../lib/platform/http/errors.ts";
import { fileOf, orShowFileForm, readFileForm } from "../../../../lib/platform/http/file_form.ts";
import { route } from "../../../../lib/app/state.ts";

/** The logo of an issuer, for full administrators: its file, and the form that sets it. */
export const handler = route({
  async GET({ state, params }) {
    requireLayer(state, "L1");
    const { organisation, id } = await readOwnIssuer(state, params.id);
    const logo = await state.services.issuers.readLogo(organisation, id);
    if (logo === null) throw new RequestError(404);
    state.policy = () => "default-src 'none'; sandbox; frame-ancestors 'none'";
    return new Response(logo.bytes, {
      headers: {
        "content-type": logo.media_type,
        "content-disposition": "inline",
        "cache-control": "private, no-store",
        "cross-origin-resource-policy": "same-origin",
      },
    });
  },
  async POST(ctx) {
    const { state, req, params } = ctx;
    const { email: by } = requireLayer(state, "L1");
    requirePasskey(state);
    const { organisation, id } = await readOwnIssuer(state, params.id);
    return await orShowFileForm(() => readFileForm(req, 2 * MAX_LOGO), async (form) => {
      const bytes = await new Response(fileOf(form).body).bytes();
      unwrap(await state.services.issuers.setLogo({ organisation, id, by, bytes }));
      const page = await withConsoleResult(state, `${issuerPath(id)}/settings`, "set_logo");
      return ctx.redirect(page, 303);
    }, ({ values, ...problem }, status) => {
      const refused = { ...problem, values: { ...values, act: "set_logo" } };
      return renderSections(ctx, "settings", <CopySamples />, { refused, status });
    });
  },
});
