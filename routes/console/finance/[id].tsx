/** The transactions and balance of a bank account in the console, with their export. */
import { HttpError } from "fresh";
import { renderConsole } from "../../../components/console/render_console.tsx";
import Account from "../../../islands/Account.tsx";
import { transactionList, withPatience } from "../../../lib/features/bank/mod.ts";
import { requireLayer, requirePasskey, treasuryOf } from "../../../lib/features/console/http.ts";
import { readAccount, statusOf } from "../../../lib/features/bank/console/account.ts";
import { readBalanceChart } from "../../../lib/features/bank/console/balance_charts.ts";
import { transactionsFile } from "../../../lib/features/bank/console/transactions_file.ts";
import { exportList } from "../../../lib/features/audit/mod.ts";
import { TRANSACTION_COLUMNS } from "../../../components/bank/transaction_columns.tsx";
import { accountIdOf } from "../../../lib/features/bank/console/account_path.ts";
import { errorMessage, nameOf } from "../../../lib/features/bank/console/labels.ts";
import { packRows } from "../../../lib/features/bank/console/packed_rows.ts";
import { readLedgerFilters } from "../../../lib/features/bank/console/ledger_filters.ts";
import { RequestError, unwrap } from "../../../lib/platform/http/errors.ts";
import { route } from "../../../lib/app/state.ts";

/** One account of the commercial console, for full administrators (spec 4.2.3). */
export const handler = route({
  async GET(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    const id = accountIdOf(ctx.url.pathname);
    if (id === undefined) throw new HttpError(404);
    const treasury = treasuryOf(ctx.state);
    const { services: { audit, clock, schedule }, surface } = ctx.state;
    const now = clock();
    if (ctx.url.searchParams.get("chart") === "balance") {
      const result = await readBalanceChart(treasury, now, id);
      return ctx.json(unwrap(result, !result.ok && result.error === "not_found" ? 404 : 502).chart);
    }
    const filters = readLedgerFilters(ctx.url, id, now);
    const format = ctx.url.searchParams.get("format");
    if (format === "csv" && filters.query !== null) {
      requirePasskey(ctx.state);
      const file = await transactionsFile(treasury, filters.query);
      if (file.ok) {
        const { name, items } = file;
        return await exportList(audit, { organisation: surface.organisation, by }, {
          action: "transactions_exported",
          object: { account: id },
          filters: transactionList.describe(filters.query),
          columns: TRANSACTION_COLUMNS,
          format,
          name,
          items,
        });
      }
      if (file.error !== "not_found") throw new RequestError(502, errorMessage(file.error));
    }
    const read = (patience?: AbortSignal) => readAccount(treasury, id, filters, now, patience);
    const data = await (format === "json" ? read() : withPatience(ctx.url, schedule, read));
    const { account } = data;
    const init = { status: statusOf(data) };
    if (init.status === 404) throw new HttpError(404);
    if (format === "json") return Response.json(data, init);
    const title = account === null ? "Account" : nameOf(account);
    const rows = packRows(data.ledger?.rows ?? []);
    const initial = { ...data, ledger: data.ledger && { ...data.ledger, rows: [] } };
    return await renderConsole(ctx, { title }, <Account {...{ initial, rows }} />, init);
  },
});
