import { checkInput, readInput } from "../../../lib/http/body.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { unwrap } from "../../../lib/http/errors.ts";
import { requireRegistrant } from "../../../lib/oauth/mod.ts";
import { deviceSchema, idOfTarget, PUSH_BODY_LIMIT } from "../../../lib/push/mod.ts";
import { readerOfContext } from "../../../lib/records/mod.ts";
import { define, type State } from "../../../lib/state.ts";

/**
 * Registers a phone for the notifications of a record (spec 4.7), or removes it. The record is the one
 * that is open in the holder's session, or the one of an app's bearer token.
 */
export const handler = define.handlers(endpoint<State>({
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
}));
