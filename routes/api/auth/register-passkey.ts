import { checkInput, readInput } from "../../../lib/platform/http/body.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { registrationSchema } from "../../../lib/features/passkeys/mod.ts";
import { readerOfContext, requireRecent } from "../../../lib/features/records/mod.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "both" };

/**
 * Adds a passkey to the holder's record (spec 4.7). Without a response in the body it returns the
 * options for `navigator.credentials.create()`; with one it verifies it.
 */
export const handler = route({
  async POST(ctx) {
    const holder = requireRecent(ctx.state);
    const { response } = checkInput(registrationSchema, await readInput(ctx.req));
    const { services: { records: { passkeys } }, surface } = ctx.state;
    const reader = readerOfContext(ctx);
    const request = { ...holder, surface, reader };
    if (response === undefined) {
      const { options } = unwrap(await passkeys.registrationOptions(request));
      return ctx.json({ step: "options", ...options });
    }
    const { passkey } = unwrap(await passkeys.register(request, response));
    return ctx.json({ step: "done", passkey }, { status: 201 });
  },
});
