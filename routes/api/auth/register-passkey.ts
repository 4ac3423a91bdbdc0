import { checkInput, readInput } from "../../../lib/http/body.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { unwrap } from "../../../lib/http/errors.ts";
import { registrationSchema } from "../../../lib/passkeys/mod.ts";
import { readerOfContext, requireRecent } from "../../../lib/records/mod.ts";
import { define, type State } from "../../../lib/state.ts";

/**
 * Adds a passkey to the holder's record (spec 4.7). Without a response in the body it returns the
 * options for `navigator.credentials.create()`; with one it verifies it.
 */
export const handler = define.handlers(endpoint<State>({
  async POST(ctx) {
    const holder = requireRecent(ctx.state);
    const { response } = checkInput(registrationSchema, await readInput(ctx.req));
    const { services: { passkeys }, surface } = ctx.state;
    const reader = readerOfContext(ctx);
    const request = { ...holder, surface, reader };
    if (response === undefined) {
      return ctx.json(unwrap(await passkeys.registrationOptions(request)).options);
    }
    const { passkey } = unwrap(await passkeys.register(request, response));
    return ctx.json({ passkey }, { status: 201 });
  },
}));
