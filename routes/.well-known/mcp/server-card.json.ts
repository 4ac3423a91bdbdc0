import { define } from "../../../lib/state.ts";

/** The server card (spec 2.7). */
export const handler = define.handlers((ctx) => {
  const { services, surface } = ctx.state;
  return services.discovery[surface.organisation].card(ctx.req);
});
