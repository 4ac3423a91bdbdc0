/** The text messages and calls that the site has sent to the stand-in provider in development. */
import { HttpError, page } from "fresh";
import { z } from "zod";
import { Phone } from "../../components/workbench/Phone.tsx";
import type { PhoneInbox } from "../../lib/features/codes/providers/mod.ts";
import { wantsJson } from "../../lib/platform/http/audience.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { RequestError } from "../../lib/platform/http/errors.ts";
import { define, pageHandler, type RouteProperties, type State } from "../../lib/app/state.ts";
import { inboxFrame } from "../../lib/features/workbench/mod.ts";

export const properties: RouteProperties = {
  noAuthority: "It exists only in development.",
};

const actionSchema = z.discriminatedUnion("act", [
  z.object({ act: z.enum(["press", "ignore"]), call: z.string().max(100) }),
  z.object({ act: z.enum(["outage-on", "outage-off"]) }),
]);

/** Messages and calls at the stand-in, newest first; also as JSON. */
export const handler = pageHandler({
  async GET(ctx) {
    const view = await inboxOf(ctx.state).view();
    const headers = { "vary": "Accept", "cache-control": "no-store" };
    if (wantsJson(ctx.req)) return ctx.json(view, { headers });
    return page({ view, frame: await inboxFrame("phone", ctx.state.services) }, { headers });
  },
  async POST(ctx) {
    const inbox = inboxOf(ctx.state);
    const input = checkInput(actionSchema, await readInput(ctx.req));
    if (!("call" in input)) await inbox.setOutage(input.act === "outage-on");
    else if (!await inbox.answer(input.call, input.act)) {
      throw new RequestError(409, "This call is not waiting for a key.");
    }
    return ctx.redirect("/dev/phone", 303);
  },
});

export default define.page<typeof handler>(({ data }) => <Phone {...data} />);

function inboxOf({ services }: State): PhoneInbox {
  if (services.phone.inbox === null) throw new HttpError(404);
  return services.phone.inbox;
}
