import CopySamples from "../../../../islands/CopySamples.tsx";
import { renderIssuer } from "../../../../components/console/issuers/render_issuer.tsx";
import { requireLayer, requirePasskey } from "../../../../lib/features/console/access.ts";
import { issuerActOf } from "../../../../lib/features/console/issuer_acts.ts";
import { readOwnIssuer } from "../../../../lib/features/console/own_issuers.ts";
import { withConsoleResult } from "../../../../lib/features/console/results.ts";
import { checkInput, readInput } from "../../../../lib/platform/http/body.ts";
import { RequestError, unwrap } from "../../../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../../../lib/platform/http/form_post.ts";
import { route } from "../../../../lib/app/state.ts";

/** One issuer, for full administrators. `lib/features/console/issuer_acts.ts` lists its forms. */
export const handler = route({
  GET: (ctx) => renderIssuer(ctx, <CopySamples />),
  async POST(ctx) {
    const { state, req, params } = ctx;
    const { email: by } = requireLayer(state, "L1");
    requirePasskey(state);
    const issuer = await readOwnIssuer(state, params.id);
    const given = await readInput(req) as Record<string, string>;
    return await orShowForm(req, async () => {
      const act = issuerActOf(given.act);
      if (act === undefined) throw new RequestError(400);
      const form = checkInput(act.schema, given) as never;
      const result = unwrap(await act.run(state.services, form, { issuer, by }));
      const { done, gone, once } = result;
      if (once !== undefined) return await renderIssuer(ctx, <CopySamples />, { once });
      const page = gone ? "/console/issuers" : ctx.url.pathname;
      return formDone(req, await withConsoleResult(state, page, done));
    }, ({ status, message, issues = {} }) => {
      const problem = Object.keys(issues).length === 0 ? message : undefined;
      return renderIssuer(ctx, <CopySamples />, {
        refused: { values: given, issues, problem },
        status,
      });
    });
  },
});
