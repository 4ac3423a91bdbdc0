import { registerDevice, removeDevice } from "../../../lib/features/api/mod.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { idOfTarget } from "../../../lib/features/push/mod.ts";
import { readerOfContext } from "../../../lib/features/records/mod.ts";
import { serveOperation } from "../../../lib/app/serve_operation.ts";
import { route } from "../../../lib/app/state.ts";

/**
 * Registers a phone for the notifications of a record (spec 4.7), or removes it. The record is the one
 * that is open in the holder's session, or the one of an app's bearer token.
 */
export const handler = route({
  POST: serveOperation(registerDevice, async (ctx, { registrant, body }) => {
    const { push } = ctx.state.services;
    const request = { ...registrant, reader: readerOfContext(ctx) };
    const { device, added } = unwrap(await push.register(await body(), request));
    return ctx.json({ device }, { status: added ? 201 : 200 });
  }),
  DELETE: serveOperation(removeDevice, async (ctx, { registrant: { record }, body }) => {
    const { push } = ctx.state.services;
    await push.remove(record, idOfTarget(await body()), readerOfContext(ctx));
    return ctx.json({ success: true });
  }),
});
