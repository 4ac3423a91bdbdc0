import { checkInput, readInput } from "../../../lib/http/body.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { unwrap } from "../../../lib/http/errors.ts";
import { deviceSchema, idOfTarget, PUSH_BODY_LIMIT } from "../../../lib/push/mod.ts";
import { readerOfContext, requireHolder } from "../../../lib/records/mod.ts";
import { define, type State } from "../../../lib/state.ts";

/**
 * Registers a phone for the notifications of the holder's record (spec 4.7), or removes it. The holder
 * is identified by the session; apps with a bearer token will be identified here too.
 */
export const handler = define.handlers(endpoint<State>({
  async POST(ctx) {
    const holder = requireHolder(ctx.state);
    const target = checkInput(deviceSchema, await readInput(ctx.req, PUSH_BODY_LIMIT));
    const { push } = ctx.state.services;
    const reader = readerOfContext(ctx);
    const { device, added } = unwrap(await push.register(target, { ...holder, reader }));
    return ctx.json({ device }, { status: added ? 201 : 200 });
  },
  async DELETE(ctx) {
    const { record } = requireHolder(ctx.state);
    const target = checkInput(deviceSchema, await readInput(ctx.req, PUSH_BODY_LIMIT));
    const { push } = ctx.state.services;
    await push.remove(record, idOfTarget(target), readerOfContext(ctx));
    return ctx.json({ success: true });
  },
}));
