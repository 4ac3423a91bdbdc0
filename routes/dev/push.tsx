/** The push notifications that the site has sent to the stand-in services in development. */
import { HttpError, page } from "fresh";
import { z } from "zod";
import { PushInboxPage } from "../../components/workbench/PushInboxPage.tsx";
import { wantsJson } from "../../lib/platform/http/audience.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { deviceSchema } from "../../lib/features/push/mod.ts";
import type { PushInbox } from "../../lib/features/push/stand_in.ts";
import { readerOfContext, requireHolder } from "../../lib/features/records/mod.ts";
import { define, pageHandler, type State } from "../../lib/app/state.ts";
import { inboxFrame } from "../../lib/features/workbench/mod.ts";

const actionSchema = z.union([
  z.object({ act: z.enum(["outage-on", "outage-off"]) }),
  z.object({ act: z.literal("register") }).and(deviceSchema),
]);

/** Notifications at the stand-in, newest first; also as JSON. */
export const handler = pageHandler({
  async GET(ctx) {
    const inbox = inboxOf(ctx.state);
    const headers = { "vary": "Accept", "cache-control": "no-store" };
    if (wantsJson(ctx.req)) return ctx.json(inbox, { headers });
    const signedIn = ctx.state.holder?.record != null;
    const frame = await inboxFrame("push", ctx.state.services);
    return page({ inbox, signedIn, frame }, { headers });
  },
  async POST(ctx) {
    const inbox = inboxOf(ctx.state);
    const input = checkInput(actionSchema, await readInput(ctx.req));
    if (input.act === "register") {
      const holder = { ...requireHolder(ctx.state), reader: readerOfContext(ctx) };
      unwrap(await ctx.state.services.push.register(input, holder));
    } else inbox.outage = input.act === "outage-on";
    return ctx.redirect("/dev/push", 303);
  },
});

export default define.page<typeof handler>(({ data }) => <PushInboxPage {...data} />);

function inboxOf({ services }: State): PushInbox {
  if (services.pushInbox === null) throw new HttpError(404);
  return services.pushInbox;
}
