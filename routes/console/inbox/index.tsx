/** The console's list of messages that people have sent, with its search. */
import type { Context } from "fresh";
import { z } from "zod";
import { renderConsole } from "../../../components/console/render_console.tsx";
import { InboxPage } from "../../../components/inbox/InboxPage.tsx";
import { requireLayer } from "../../../lib/features/console/http.ts";
import { inboxResult } from "../../../components/inbox/results.ts";
import { readConsoleResult } from "../../../lib/features/console/results.ts";
import { type InboxFilters, inboxList } from "../../../lib/features/inbox/mod.ts";
import { checkInput, readInput } from "../../../lib/platform/http/body.ts";
import { route, type RouteProperties, type State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = { onlyReads: true };

const input = z.record(z.string(), z.unknown(), "Send the form's fields.");

/** The inbox, for full administrators. A search is a POST, so that names are in no URL. */
export const handler = route({
  GET: (ctx) => render(ctx, inboxList.read(ctx.url.searchParams)),
  async POST(ctx) {
    requireLayer(ctx.state, "L1");
    const filters = inboxList.readForm(checkInput(input, await readInput(ctx.req)));
    const { query } = filters;
    if (query === null || query.text !== undefined) return render(ctx, filters);
    return ctx.redirect(inboxList.href(query), 303);
  },
});

async function render(ctx: Context<State>, filters: InboxFilters): Promise<Response> {
  const { email } = requireLayer(ctx.state, "L1");
  const { services: { inbox, clock }, surface: { organisation }, overview } = ctx.state;
  const { query } = filters;
  const asked = await readConsoleResult(ctx.state, ctx.url);
  const now = clock();
  const [found, owners, result] = await Promise.all([
    query && inbox.list(organisation, query, email),
    inbox.owners(organisation),
    inboxResult(inbox, { organisation, url: ctx.url, now }, asked),
    overview,
  ]);
  const counts = ctx.state.inboxCounts!;
  const shown = { filters, counts, found, owners, result, now: new Date(now).toISOString() };
  const view = <InboxPage {...shown} reader={email} />;
  return await renderConsole(ctx, { title: "Inbox" }, view, { status: query ? 200 : 400 });
}
