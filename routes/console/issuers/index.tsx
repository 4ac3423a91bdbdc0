/** The console's list of issuers, with the form that adds one. */
import type { Context } from "fresh";
import { IssuersPage, type RefusedIssuer } from "../../../components/issuers/IssuersPage.tsx";
import { renderConsole } from "../../../components/console/render_console.tsx";
import { requireLayer, requirePasskey } from "../../../lib/features/console/http.ts";
import {
  readConsoleResult,
  shownResult,
  withConsoleResult,
} from "../../../lib/features/console/results.ts";
import { issuerSchema } from "../../../lib/features/issuers/mod.ts";
import { checkInput, readInput } from "../../../lib/platform/http/body.ts";
import { endpoint } from "../../../lib/platform/http/endpoint.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../../lib/platform/http/form_post.ts";
import { define, type State } from "../../../lib/app/state.ts";

/** The organisations whose documents the console's organisation registers, for full administrators. */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { state, req, url } = ctx;
    const { email: by } = requireLayer(state, "L1");
    requirePasskey(state);
    const { services: { issuers }, surface: { organisation } } = state;
    const given = await readInput(req);
    return await orShowForm(req, async () => {
      const { name } = checkInput(issuerSchema, given);
      const { issuer } = unwrap(await issuers.add({ organisation, name, by }));
      const page = `${url.pathname}/${issuer.id}/settings`;
      return formDone(req, await withConsoleResult(state, page, "add_issuer"));
    }, ({ status, message, issues }) => {
      const { name = "" } = given as { name?: string };
      return render(ctx, { name: name.slice(0, 300), problem: issues?.name ?? message }, status);
    });
  },
}));

async function render(ctx: Context<State>, refused?: RefusedIssuer, status = 200) {
  const { state, url } = ctx;
  const { surface: { organisation }, services: { issuers, config, clock } } = state;
  requireLayer(state, "L1");
  const own = config.organisations[organisation].name;
  const [list, uses] = await Promise.all([
    issuers.list(organisation),
    issuers.lastUses(organisation),
  ]);
  const result = refused ? null : shownResult(await readConsoleResult(state, url));
  const view = <IssuersPage {...{ own, uses, refused, result }} issuers={list} now={clock()} />;
  return await renderConsole(ctx, { title: "Issuers" }, view, { status });
}
