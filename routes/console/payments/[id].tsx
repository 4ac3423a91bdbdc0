import { HttpError } from "fresh";
import { renderConsole } from "../../../components/console/render_console.tsx";
import { PaymentPage } from "../../../components/payments/PaymentPage.tsx";
import { requireLayer } from "../../../lib/features/console/http.ts";
import { route } from "../../../lib/app/state.ts";

/** One payment of the console's organisation, for full administrators. */
export const handler = route({
  async GET(ctx) {
    requireLayer(ctx.state, "L1");
    const { services: { payments }, surface: { organisation } } = ctx.state;
    const payment = await payments.read(organisation, decodeURIComponent(ctx.params.id));
    if (payment === null) throw new HttpError(404);
    const history = await payments.history(organisation, payment);
    return await renderConsole(
      ctx,
      { title: "Payment" },
      <PaymentPage payment={payment} history={history} />,
    );
  },
});
