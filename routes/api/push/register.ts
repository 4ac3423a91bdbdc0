import { checkInput, readInput } from "../../../lib/platform/http/body.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { requireRegistrant } from "../../../lib/features/oauth/mod.ts";
import { deviceSchema, idOfTarget, PUSH_BODY_LIMIT } from "../../../lib/features/push/mod.ts";
import { readerOfContext } from "../../../lib/features/records/mod.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "both" };

/**
 * Registers a phone for the notifications of a record (spec 4.7), or removes it. The record is the one
 * that is open in the holder's session, or the one of an app's bearer token.
 */
export const handler = route({
  async POST(ctx) {
    const registrant = await requireRegistrant(ctx);
    const target = checkInput(deviceSchema, await readInput(ctx.req, PUSH_BODY_LIMIT));
    const { push } = ctx.state.services;
    const reader = readerOfContext(ctx);
    const { device, added } = unwrap(await push.register(target, { ...registrant, reader }));
    return ctx.json({ device }, { status: added ? 201 : 200 });
  },
  async DELETE(ctx) {
    const { record } = await requireRegistrant(ctx);
    const target = checkInput(deviceSchema, await readInput(ctx.req, PUSH_BODY_LIMIT));
    const { push } = ctx.state.services;
    await push.remove(record, idOfTarget(target), readerOfContext(ctx));
    return ctx.json({ success: true });
  },
});
