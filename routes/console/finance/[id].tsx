import { HttpError, page } from "fresh";
import { AccountPage } from "../../../components/console/AccountPage.tsx";
import { ConsoleFrame } from "../../../components/console/ConsoleFrame.tsx";
import { readAccount } from "../../../lib/console/account.ts";
import { accountIdOf } from "../../../lib/console/account_path.ts";
import { csvName, transactionsCsv } from "../../../lib/console/csv.ts";
import { readLedgerFilters } from "../../../lib/console/ledger_filters.ts";
import { nameOf, reasonText } from "../../../lib/console/words.ts";
import { RequestError } from "../../../lib/http/errors.ts";
import { gate, showsTransactions, treasuryOf } from "../../../lib/ops/mod.ts";
import { define } from "../../../lib/state.ts";

export const handler = define.handlers({
  async GET(ctx) {
    if (!showsTransactions(ctx.state)) throw new HttpError(404);
    const operator = await gate(ctx, "L1");
    if (operator instanceof Response) return operator;
    const id = accountIdOf(ctx.url.pathname);
    if (id === undefined) throw new HttpError(404);
    const filters = readLedgerFilters(ctx.url, id);
    const treasury = treasuryOf(ctx.state);
    const csv = ctx.url.searchParams.get("format") === "csv";
    const now = ctx.state.services.clock();
    const reading = await readAccount(treasury, id, filters, { now, flow: !csv });
    if (reading.state === "unknown") throw new HttpError(404);
    if (csv && reading.state === "unreadable") {
      throw new RequestError(502, reasonText(reading.code));
    }
    if (csv && reading.state === "read") {
      return new Response(transactionsCsv(reading.ledger.transactions), {
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": `attachment; filename="${csvName(reading.account)}"`,
        },
      });
    }
    const data = { operator, filters, reading, now: new Date(now).toISOString() };
    return page(data, { status: STATUS[reading.state] });
  },
});

const STATUS = { read: 200, closed: 200, misfiltered: 400, unreadable: 502 };

/** One account of the commercial console, for full administrators (spec 4.2.3). */
export default define.page<typeof handler>(({ data, state, url, req }) => {
  const { operator, filters, reading, now } = data;
  const title = reading.account === undefined ? "Account" : nameOf(reading.account);
  return (
    <ConsoleFrame {...{ state, url, req, operator, title }}>
      <AccountPage {...{ reading, filters, url, now }} />
    </ConsoleFrame>
  );
});
