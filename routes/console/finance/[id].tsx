import { HttpError, page } from "fresh";
import { AccountPage } from "../../../components/console/AccountPage.tsx";
import { ConsoleFrame } from "../../../components/console/ConsoleFrame.tsx";
import { requireLayer, treasuryOf } from "../../../lib/console/access.ts";
import { readAccount } from "../../../lib/console/account.ts";
import { csvName, transactionsCsv } from "../../../lib/console/csv.ts";
import { accountIdOf } from "../../../lib/console/finance.ts";
import { errorMessage, nameOf } from "../../../lib/console/labels.ts";
import { rangePresets, readLedgerFilters } from "../../../lib/console/ledger_filters.ts";
import { RequestError } from "../../../lib/http/errors.ts";
import { define, pageHandler } from "../../../lib/state.ts";

/** The statuses of failures that the page explains. Failures of the bank are 502. */
const STATUSES: Record<string, number> = { restricted: 200, invalid_request: 400 };

export const handler = pageHandler({
  async GET(ctx) {
    const operator = requireLayer(ctx.state, "L1");
    const id = accountIdOf(ctx.url.pathname);
    if (id === undefined) throw new HttpError(404);
    const now = ctx.state.services.clock();
    const filters = readLedgerFilters(ctx.url, id, now);
    const csv = ctx.url.searchParams.get("format") === "csv";
    const result = await readAccount(treasuryOf(ctx.state), id, filters, { now, flow: !csv });
    if (csv && result.ok) {
      return new Response(transactionsCsv(result.ledger.transactions), {
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": `attachment; filename="${csvName(result.listed.account)}"`,
        },
      });
    }
    if (!result.ok && result.error === "not_found" && !result.listed) throw new HttpError(404);
    const status = result.ok ? 200 : STATUSES[result.error] ?? 502;
    if (!result.ok && csv && status === 502) {
      throw new RequestError(502, errorMessage(result.error));
    }
    const presets = rangePresets(id, filters, now);
    const view = { result, filters, presets, now: new Date(now).toISOString() };
    return page({ operator, view }, { status });
  },
});

/** One account of the commercial console, for full administrators (spec 4.2.3). */
export default define.page<typeof handler>(({ data, state, url, req }) => {
  const { operator, view, view: { result } } = data;
  const title = result.listed === undefined ? "Account" : nameOf(result.listed.account);
  return (
    <ConsoleFrame {...{ state, url, req, title }} visitor={operator}>
      <AccountPage {...view} url={url} />
    </ConsoleFrame>
  );
});
