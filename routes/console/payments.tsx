import { page } from "fresh";
import { ConsoleFrame } from "../../components/console/ConsoleFrame.tsx";
import { PaymentsPage } from "../../components/payments/PaymentsPage.tsx";
import Chart from "../../islands/Chart.tsx";
import { requireLayer } from "../../lib/console/access.ts";
import { csvResponse } from "../../lib/csv.ts";
import { CSV_COLUMNS, monthlyChart, readPaymentFilters } from "../../lib/payments/mod.ts";
import { define, pageHandler } from "../../lib/state.ts";

export const handler = pageHandler({
  async GET({ url, state }) {
    const operator = requireLayer(state, "L1");
    const { services: { payments, surfaces }, surface: { organisation } } = state;
    const filters = readPaymentFilters(url);
    const query = "query" in filters ? filters.query : null;
    if (query !== null && url.searchParams.get("format") === "csv") {
      return csvResponse("payments", CSV_COLUMNS, payments.csvRows(organisation, query));
    }
    const list = query && await payments.list(organisation, query);
    const webhook = surfaces.url(`${organisation}-console`, "/api/payments/webhook");
    const setup = { organisation, webhook, open: payments.isOpen(organisation) };
    return page({ operator, filters, list, setup }, { status: query === null ? 400 : 200 });
  },
});

/** The payments of the console's organisation, for full administrators. */
export default define.page<typeof handler>(({ data, state, url, req }) => {
  const { operator, filters, list, setup } = data;
  const [total] = list?.totals ?? [];
  return (
    <ConsoleFrame {...{ state, url, req }} visitor={operator} title="Payments">
      <PaymentsPage filters={filters} list={list} setup={setup}>
        {total !== undefined && total.months.size > 0 && (
          <Chart
            type="bar"
            data={monthlyChart(total)}
            options={{ currency: total.currency, label: "Payments by month" }}
            height={220}
          />
        )}
      </PaymentsPage>
    </ConsoleFrame>
  );
});
