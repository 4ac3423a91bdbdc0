import { renderConsole } from "../../../components/console/render_console.tsx";
import { PaymentsPage } from "../../../components/payments/PaymentsPage.tsx";
import { requireLayer, requirePasskey } from "../../../lib/features/console/http.ts";
import { exportList } from "../../../lib/features/audit/mod.ts";
import { paymentList } from "../../../lib/features/payments/mod.ts";
import { exportFormat } from "../../../lib/platform/listing/export.ts";
import { PAYMENT_COLUMNS } from "../../../components/payments/payment_columns.tsx";
import { route } from "../../../lib/app/state.ts";

/** The payments of the console's organisation, for full administrators. */
export const handler = route({
  async GET(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    const { services: { audit, payments, surfaces }, surface: { organisation } } = ctx.state;
    const filters = paymentList.read(ctx.url.searchParams);
    const { query } = filters;
    const format = exportFormat(ctx.url.searchParams.get("format"));
    if (query !== null && format !== undefined) {
      requirePasskey(ctx.state);
      return await exportList(audit, { organisation, by }, {
        action: "payments_exported",
        filters: paymentList.describe(query),
        format,
        name: "payments",
        columns: PAYMENT_COLUMNS,
        items: payments.all(organisation, query),
      });
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
});
