import { checkInput, readInput } from "../../../lib/platform/http/body.ts";
import { RequestError, unwrap } from "../../../lib/platform/http/errors.ts";
import {
  endpointSchema,
  expectedRecordSchema,
  idOfTarget,
  PUSH_BODY_LIMIT,
  subscriptionSchema,
} from "../../../lib/features/push/mod.ts";
import { readerOfContext, requireHolder } from "../../../lib/features/records/mod.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "both" };

/** Subscribes the holder's browser to the notifications of the open record, or unsubscribes it. */
export const handler = route({
  async POST(ctx) {
    const holder = requireHolder(ctx.state);
    const input = await readInput(ctx.req, PUSH_BODY_LIMIT);
    const target = checkInput(subscriptionSchema, input);
    const { record = holder.record } = checkInput(expectedRecordSchema, input);
    if (record !== holder.record) throw new RequestError(409, ANOTHER_RECORD);
    const { push } = ctx.state.services;
    const reader = readerOfContext(ctx);
    const { device, added } = unwrap(await push.register(target, { ...holder, reader }));
    return ctx.json({ device }, { status: added ? 201 : 200 });
  },
  async DELETE(ctx) {
    const { record } = requireHolder(ctx.state);
    const { endpoint } = checkInput(endpointSchema, await readInput(ctx.req, PUSH_BODY_LIMIT));
    const { push } = ctx.state.services;
    const id = idOfTarget({ platform: "web", endpoint });
    await push.remove(record, id, readerOfContext(ctx));
    return ctx.json({ success: true });
  },
});

const ANOTHER_RECORD = "Another record is open in this browser now. Reload the page.";
