/** The search field of the console. */
import type { Context } from "fresh";
import { z } from "zod";
import { renderConsole } from "../../components/console/render_console.tsx";
import { SearchPage } from "../../components/console/SearchPage.tsx";
import { requireLayer } from "../../lib/features/console/http.ts";
import { searchConsole } from "../../lib/features/console/search.ts";
import { MAX_TEXT } from "../../lib/features/console/search_results.ts";
import { wantsJson } from "../../lib/platform/http/audience.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { type Problem, problemOf } from "../../lib/platform/http/errors.ts";
import { route, type RouteProperties, type State } from "../../lib/app/state.ts";

export const properties: RouteProperties = { onlyReads: true };

const input = z.object({
  q: z.string().max(MAX_TEXT, `Enter at most ${MAX_TEXT} characters.`).trim().default(""),
});

/**
 * Finds pages, and for full administrators accounts, records and payments. Our own pages search with
 * POST, so that names and addresses are in no URL.
 */
export const handler = route({
  GET: (ctx) => respond(ctx, () => Object.fromEntries(ctx.url.searchParams)),
  POST: (ctx) => respond(ctx, () => readInput(ctx.req)),
});

async function respond(ctx: Context<State>, read: () => unknown): Promise<Response> {
  const { layer } = requireLayer(ctx.state, "L2");
  const { services, surface } = ctx.state;
  const render = (q: string, found: Parameters<typeof SearchPage>[0]["found"], init?: Problem) =>
    renderConsole(ctx, { title: "Search" }, <SearchPage {...{ q, found, layer }} />, init);
  try {
    const { q } = checkInput(input, await read());
    const found = await searchConsole(services, {
      surface,
      layer,
      text: q,
      signal: ctx.req.signal,
    });
    return wantsJson(ctx.req) ? Response.json(found) : await render(q, found);
  } catch (error) {
    const problem = problemOf(error);
    if (problem.status !== 400 || wantsJson(ctx.req)) throw error;
    return await render("", problem, problem);
  }
}
