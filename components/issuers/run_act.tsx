import type { ComponentChildren } from "preact";
import type { Context } from "fresh";
import type { State } from "../../lib/app/state.ts";
import { requireLayer, requirePasskey } from "../../lib/features/console/http.ts";
import { type ActsPage, issuerActOf } from "./acts.ts";
import { readOwnIssuer } from "../../lib/features/issuers/http/requests.ts";
import { withConsoleResult } from "../../lib/features/console/results.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { RequestError, unwrap } from "../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../lib/platform/http/form_post.ts";
import { renderSections } from "./render_issuer.tsx";

/** Handles the forms of a page of an issuer. `components/issuers/acts.ts` lists them. */
export async function actOnIssuer(
  ctx: Context<State>,
  page: ActsPage,
  scripts: ComponentChildren,
): Promise<Response> {
  const { state, req, params } = ctx;
  const { email: by } = requireLayer(state, "L1");
  requirePasskey(state);
  const issuer = await readOwnIssuer(state, params.id);
  const given = await readInput(req) as Record<string, string>;
  return await orShowForm(req, async () => {
    const act = issuerActOf(page, given.act);
    if (act === undefined) throw new RequestError(400);
    const form = checkInput(act.schema, given) as never;
    const { done, gone, once } = unwrap(await act.run(state.services, form, { issuer, by }));
    if (once !== undefined) return await renderSections(ctx, page, scripts, { once });
    const shown = gone ? "/console/issuers" : ctx.url.pathname;
    return formDone(req, await withConsoleResult(state, shown, done));
  }, ({ status, message, issues = {} }) => {
    const problem = Object.keys(issues).length === 0 ? message : undefined;
    return renderSections(ctx, page, scripts, {
      refused: { values: given, issues, problem },
      status,
    });
  });
}
