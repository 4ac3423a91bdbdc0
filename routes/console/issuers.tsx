import type { Context } from "fresh";
import { IssuersPage, type RefusedIssuer } from "../../components/console/IssuersPage.tsx";
import { renderConsole } from "../../components/console/render_console.tsx";
import { requireLayer, requirePasskey } from "../../lib/features/console/access.ts";
import { provenResult, readResult } from "../../lib/features/console/proven_results.ts";
import { issuerResult } from "../../lib/features/console/results.ts";
import { issuerSchema } from "../../lib/features/issuers/mod.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { endpoint } from "../../lib/platform/http/endpoint.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../lib/platform/http/form_post.ts";
import { define, type State } from "../../lib/app/state.ts";

/** The organisations whose documents the console's organisation registers, for full administrators. */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { state, req, url } = ctx;
    const { email: by } = requireLayer(state, "L1");
    requirePasskey(state);
    const { services: { issuers }, surface: { organisation } } = state;
    const given = { act: "add", ...await readInput(req) as Record<string, string> };
    return await orShowForm(req, async () => {
      const { act, ...form } = checkInput(issuerSchema, given);
      const change = { organisation, by, ...form } as Parameters<typeof issuers.rename>[0];
      const { issuer } = unwrap(await issuers[act](change));
      return formDone(
        req,
        await provenResult(state, url.pathname, `${act}_issuer`, issuer.id),
      );
    }, ({ status, message, issues }) => {
      const { act, id = "", name = "" } = given as { act: string; id?: string; name?: string };
      const problem = issues?.name ?? message;
      return render(ctx, { act, id, name: name.slice(0, 300), problem }, status);
    });
  },
}));

async function render(ctx: Context<State>, refused?: RefusedIssuer, status = 200) {
  const { state, url } = ctx;
  const { surface: { organisation }, services: { issuers, config } } = state;
  requireLayer(state, "L1");
  const own = config.organisations[organisation].name;
  const list = await issuers.list(organisation);
  const result = refused ? null : issuerResult(await readResult(state, url), list);
  const view = <IssuersPage {...{ own, refused, result }} issuers={list} />;
  return await renderConsole(ctx, { title: "Issuers" }, view, { status });
}
