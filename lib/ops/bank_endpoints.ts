import type { Context } from "fresh";
import { type TransactionQuery, transactionQuery, type TreasuryError } from "../bank/mod.ts";
import { wantsJson } from "../http/audience.ts";
import { checkInput, isFormPost } from "../http/body.ts";
import { endpoint, type EndpointHandler } from "../http/endpoint.ts";
import { RequestError } from "../http/errors.ts";
import type { State } from "../state.ts";
import { showsTransactions, treasuryOf } from "./console.ts";
import { gate } from "./gate.tsx";
import { requireLayer } from "./layers.ts";

/** `GET /api/bank/summary`, for L1 and L2 (spec 2.3, 4.1). */
export const summaryEndpoint: EndpointHandler<State> = endpoint({
  async GET(ctx) {
    requireLayer(ctx.state, "L2");
    return ctx.json(await treasuryOf(ctx.state).summary());
  },
});

/** `GET /api/bank/accounts`, for L1 (spec 2.4, 4.1). */
export const accountsEndpoint: EndpointHandler<State> = endpoint({
  async GET(ctx) {
    requireLayer(ctx.state, "L1");
    return ctx.json(await treasuryOf(ctx.state).accounts());
  },
});

/**
 * `POST /api/bank/refresh`, for L1 (spec 4.1): marks what is cached expired and fetches it again.
 * Answers `{refreshed: true, cached_at}`, or the error with 502. The finance page's form is led back
 * to that page, which tells the result: `?refreshed=1`, or `?refresh_error=` and its code.
 */
export const refreshEndpoint: EndpointHandler<State> = endpoint({
  async POST(ctx) {
    if (isFormPost(ctx.req) && !wantsJson(ctx.req)) return await refreshForPage(ctx);
    requireLayer(ctx.state, "L1");
    const result = await treasuryOf(ctx.state).refresh();
    return ctx.json(result, { status: "error" in result ? 502 : 200 });
  },
});

async function refreshForPage(ctx: Context<State>): Promise<Response> {
  const back = new URL("/console/finance", ctx.url);
  const operator = await gate(ctx, "L1", back);
  if (operator instanceof Response) return operator;
  const result = await treasuryOf(ctx.state).refresh();
  if ("error" in result) back.searchParams.set("refresh_error", result.error);
  else back.searchParams.set("refreshed", "1");
  return ctx.redirect(back.pathname + back.search, 303);
}

/**
 * `GET /api/bank/transactions`, for L1 on the commercial console alone (spec 4.1); elsewhere there
 * is nothing. Filters as in {@link transactionQuery}; a bad one is 400 with its name in `issues`,
 * an account that is not shown 404. While nothing is connected it answers, like the summary, with
 * 200 and the fallback body of spec 2.3; where the connection stands and the provider fails at
 * this alone, with its error and 502.
 */
export const transactionsEndpoint: EndpointHandler<State> = (ctx) => {
  if (!showsTransactions(ctx.state)) throw new RequestError(404);
  return transactions(ctx);
};

const transactions: EndpointHandler<State> = endpoint({
  async GET(ctx) {
    requireLayer(ctx.state, "L1");
    const sent = Object.fromEntries(ctx.url.searchParams);
    const query: TransactionQuery = checkInput(transactionQuery, sent);
    const answer = await treasuryOf(ctx.state).transactions(query);
    return ctx.json(answer, { status: "error" in answer ? statusOf(answer) : 200 });
  },
});

/** What is not there is the asker's mistake; everything else went wrong between us and the bank. */
const statusOf = ({ error }: TreasuryError) => error === "not_found" ? 404 : 502;
