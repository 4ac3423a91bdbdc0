import type { Context } from "fresh";
import { IssuersPage } from "../../components/console/IssuersPage.tsx";
import { renderConsole } from "../../components/console/render_console.tsx";
import { requireLayer } from "../../lib/features/console/access.ts";
import { issuerSchema } from "../../lib/features/documents/mod.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { endpoint } from "../../lib/platform/http/endpoint.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../lib/platform/http/form_post.ts";
import { define, type State } from "../../lib/app/state.ts";

/** The organisations whose documents the console's organisation registers, for full administrators. */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { state, req } = ctx;
    const { email: by } = requireLayer(state, "L1");
    const given = await readInput(req);
    return await orShowForm(req, async () => {
      const { name } = checkInput(issuerSchema, given);
      const { organisation } = state.surface;
      unwrap(await state.services.issuers.add({ organisation, name, by }));
      return formDone(req, "/console/issuers");
    }, ({ status, message, issues }) => {
      const name = String((given as { name?: unknown }).name ?? "").slice(0, 300);
      return render(ctx, { name, problem: issues?.name ?? message }, status);
    });
  },
}));

async function render(
  ctx: Context<State>,
  refused?: { name: string; problem: string },
  status = 200,
) {
  const { surface: { organisation }, services: { issuers, config } } = ctx.state;
  requireLayer(ctx.state, "L1");
  const own = config.organisations[organisation].name;
  const view = <IssuersPage {...{ own, refused }} issuers={await issuers.list(organisation)} />;
  return await renderConsole(ctx, { title: "Issuers" }, view, { status });
}
