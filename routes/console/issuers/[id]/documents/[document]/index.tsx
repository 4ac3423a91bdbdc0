import PdfPreview from "../../../../../../islands/PdfPreview.tsx";
import { type Draw, renderIssued } from "../../../../../../components/issuing/render_issued.tsx";
import { requireLayer, requirePasskey } from "../../../../../../lib/features/console/http.ts";
import { actOnIssued, issuedActSchema } from "../../../../../../components/issuing/issued_acts.ts";
import { issuedPath } from "../../../../../../lib/features/issuing/issued_path.ts";
import { readOwnIssued } from "../../../../../../lib/features/issuing/http/console.ts";
import { withConsoleResult } from "../../../../../../lib/features/console/results.ts";
import { checkInput, readInput } from "../../../../../../lib/platform/http/body.ts";
import { unwrap } from "../../../../../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../../../../../lib/platform/http/form_post.ts";
import { route } from "../../../../../../lib/app/state.ts";

const draw: Draw = (file) => <PdfPreview {...file} />;

/** A document of an issuer, for full administrators, who withdraw it or mail its recipient again. */
export const handler = route({
  GET: (ctx) => renderIssued(ctx, draw),
  async POST(ctx) {
    const { state, req, params } = ctx;
    const { email: by } = requireLayer(state, "L1");
    requirePasskey(state);
    const listed = await readOwnIssued(state, params);
    const given = await readInput(req) as Record<string, string>;
    return await orShowForm(
      req,
      async () => {
        const form = checkInput(issuedActSchema, given);
        const { done } = unwrap(await actOnIssued(state.services, listed, { form, by }));
        return formDone(req, await withConsoleResult(state, issuedPath(listed.document), done));
      },
      ({ status, message: problem, issues = {} }) =>
        renderIssued(ctx, draw, { refused: { values: given, issues, problem }, status }),
    );
  },
});
