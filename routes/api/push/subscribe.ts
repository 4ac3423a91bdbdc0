import { subscribeBrowser, unsubscribeBrowser } from "../../../lib/features/api/mod.ts";
import { RequestError, unwrap } from "../../../lib/platform/http/errors.ts";
import { idOfTarget } from "../../../lib/features/push/mod.ts";
import { readerOfContext } from "../../../lib/features/records/mod.ts";
import { serveOperation } from "../../../lib/app/serve_operation.ts";
import { route } from "../../../lib/app/state.ts";

/** Subscribes the holder's browser to the notifications of the open record, or unsubscribes it. */
export const handler = route({
  POST: serveOperation(subscribeBrowser, async (ctx, { holder, body }) => {
    const { target, record = holder.record } = await body();
    if (record !== holder.record) throw new RequestError(409, ANOTHER_RECORD);
    const { push } = ctx.state.services;
    const reader = readerOfContext(ctx);
    const { device, added } = unwrap(await push.register(target, { ...holder, reader }));
    return ctx.json({ device }, { status: added ? 201 : 200 });
  }),
  DELETE: serveOperation(unsubscribeBrowser, async (ctx, { holder: { record }, body }) => {
    const { endpoint } = await body();
    const { push } = ctx.state.services;
    const id = idOfTarget({ platform: "web", endpoint });
    await push.remove(record, id, readerOfContext(ctx));
    return ctx.json({ success: true });
  }),
});

const ANOTHER_RECORD = "Another record is open in this browser now. Reload the page.";
