/** The console's list of what an issuer has issued, with its search. */
import type { Context } from "fresh";
import { DocumentsPage } from "../../../../components/issuing/DocumentsPage.tsx";
import { renderIssuer } from "../../../../components/issuers/render_issuer.tsx";
import { requireLayer } from "../../../../lib/features/console/http.ts";
import {
  ISSUED_PER_PAGE,
  type IssuedFilters,
  issuedList,
} from "../../../../lib/features/issuing/console_list.ts";
import { checkIssuerId } from "../../../../lib/features/issuers/http/requests.ts";
import { readInput } from "../../../../lib/platform/http/body.ts";
import { route, type RouteProperties, type State } from "../../../../lib/app/state.ts";

export const properties: RouteProperties = { onlyReads: true };

/** The documents of an issuer, for full administrators. A search is a POST, so that names are in no URL. */
export const handler = route({
  GET: (ctx) => render(ctx, listOf(ctx).read(ctx.url.searchParams)),
  async POST(ctx) {
    requireLayer(ctx.state, "L1");
    const list = listOf(ctx);
    const filters = list.readForm(await readInput(ctx.req) as Record<string, unknown>);
    const { query } = filters;
    return query !== null && query.text === undefined
      ? ctx.redirect(list.href(query), 303)
      : await render(ctx, filters);
  },
});

const listOf = ({ params }: Context<State>) => issuedList(checkIssuerId(params.id));

function render(ctx: Context<State>, filters: IssuedFilters): Promise<Response> {
  const { issuing, clock } = ctx.state.services;
  const { query } = filters;
  const list = listOf(ctx);
  const read = async (id: string) => {
    if (query === null) return { found: null, onlyTests: false };
    const found = await issuing.find.ofIssuer(id, query, ISSUED_PER_PAGE);
    const isEmpty = found.page.length === 0 && !list.isFiltered(query) && query.after === undefined;
    const tests = isEmpty ? await issuing.find.ofIssuer(id, { mode: "test" }, 1) : null;
    return { found, onlyTests: tests !== null && tests.page.length > 0 };
  };
  return renderIssuer(
    ctx,
    "documents",
    read,
    (_, found) => <DocumentsPage {...{ list, filters, ...found }} now={clock()} />,
    { refused: query === null, status: query === null ? 400 : 200 },
  );
}
