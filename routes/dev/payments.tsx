import { HttpError, page } from "fresh";
import { z } from "zod";
import { PaymentEvents } from "../../components/payments/PaymentEvents.tsx";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { standInAction } from "../../lib/features/payments/mod.ts";
import { define, pageHandler, type RouteProperties, type State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  noAuthority: "It exists only in development.",
};

const input = z.object({
  act: standInAction,
  organisation: z.enum(["foundation", "commercial"]),
  record: z.string().trim().max(100).default(""),
});

/** The events that the stand-in for the payment provider sent, and buttons to send more. */
export const handler = pageHandler({
  async GET(ctx) {
    const sent = await standInOf(ctx.state).sent();
    return page({ sent }, { headers: { "cache-control": "no-store" } });
  },
  async POST(ctx) {
    const standIn = standInOf(ctx.state);
    const request = checkInput(input, await readInput(ctx.req));
    const { surfaces } = ctx.state.services;
    const url = surfaces.url(`${request.organisation}-console`, "/api/payments/webhook");
    if (url === null) throw new HttpError(404);
    await standIn.send({ ...request, url });
    return ctx.redirect("/dev/payments", 303);
  },
});

export default define.page<typeof handler>(({ data }) => <PaymentEvents sent={data.sent} />);

function standInOf({ services }: State) {
  if (services.payments.standIn === null) throw new HttpError(404);
  return services.payments.standIn;
}
