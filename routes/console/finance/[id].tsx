import { HttpError } from "fresh";
import { renderConsole } from "../../../components/console/render_console.tsx";
import Account from "../../../islands/Account.tsx";
import { patienceFor, type TransactionQuery } from "../../../lib/bank/mod.ts";
import { requireLayer, treasuryOf } from "../../../lib/console/access.ts";
import { readAccount, statusOf } from "../../../lib/console/account.ts";
import { describeFilters } from "../../../lib/console/audit_log.ts";
import { transactionsFile } from "../../../lib/console/csv.ts";
import { accountIdOf } from "../../../lib/console/finance.ts";
import { errorMessage, nameOf } from "../../../lib/console/labels.ts";
import { readLedgerFilters } from "../../../lib/console/ledger_filters.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { RequestError } from "../../../lib/http/errors.ts";
import { define, type State } from "../../../lib/state.ts";

/** Adds an export to the audit log, without the words of a search. */
async function recordExport({ services, surface }: State, query: TransactionQuery, by: string) {
  const { account_id, limit: _, offset: __, search, ...filters } = query;
  const words = search === undefined ? {} : { with: "a search" };
  const detail = describeFilters({ account: account_id, ...words, ...filters });
  const { organisation } = surface;
  await services.audit.add({ organisation, by, action: "transactions_exported", detail });
}

/** One account of the commercial console, for full administrators (spec 4.2.3). */
export const handler = define.handlers(endpoint<State>({
  async GET(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    const id = accountIdOf(ctx.url.pathname);
    if (id === undefined) throw new HttpError(404);
    const treasury = treasuryOf(ctx.state);
    const now = ctx.state.services.clock();
    const filters = readLedgerFilters(ctx.url, id, now);
    const format = ctx.url.searchParams.get("format");
    if (format === "csv" && "query" in filters) {
      const file = await transactionsFile(treasury, filters.query);
      if (file.ok) {
        await recordExport(ctx.state, filters.query, by);
        return file.response;
      }
      if (file.error !== "not_found") throw new RequestError(502, errorMessage(file.error));
    }
    const patience = format === "json" ? undefined : patienceFor(ctx.url);
    const data = await readAccount(treasury, id, filters, now, patience);
    const { account } = data;
    const init = { status: statusOf(data) };
    if (init.status === 404) throw new HttpError(404);
    if (format === "json") return Response.json(data, init);
    const title = account === null ? "Account" : nameOf(account);
    return await renderConsole(ctx, { title }, <Account initial={data} />, init);
  },
}));
