import { renderConsole } from "../../components/console/render_console.tsx";
import { PaymentsPage } from "../../components/payments/PaymentsPage.tsx";
import { requireLayer } from "../../lib/features/console/access.ts";
import { describeFilters } from "../../lib/features/audit/mod.ts";
import { csvResponse } from "../../lib/base/csv.ts";
import { endpoint } from "../../lib/platform/http/endpoint.ts";
import { CSV_COLUMNS, readPaymentFilters } from "../../lib/features/payments/mod.ts";
import { define, type State } from "../../lib/app/state.ts";

/** The payments of the console's organisation, for full administrators. */
export const handler = define.handlers(endpoint<State>({
  async GET(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    const { services: { audit, payments, surfaces }, surface: { organisation } } = ctx.state;
    const filters = readPaymentFilters(ctx.url);
    const query = "query" in filters ? filters.query : null;
    if (query !== null && ctx.url.searchParams.get("format") === "csv") {
      const { page: _, ...filters } = query;
      const detail = describeFilters(filters);
      await audit.add({ organisation, by, action: "payments_exported", detail });
      return csvResponse("payments", CSV_COLUMNS, payments.csvRows(organisation, query));
    }
    const list = query && await payments.list(organisation, query);
    const webhook = surfaces.url(`${organisation}-console`, "/api/payments/webhook");
    const setup = { organisation, webhook, open: payments.isOpen(organisation) };
    return await renderConsole(
      ctx,
      { title: "Payments" },
      <PaymentsPage {...{ filters, list, setup }} />,
      { status: query === null ? 400 : 200 },
    );
  },
}));
