import { addPasskey } from "../../../lib/features/api/mod.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { readerOfContext } from "../../../lib/features/records/mod.ts";
import { serveOperation } from "../../../lib/app/serve_operation.ts";
import { route } from "../../../lib/app/state.ts";

/**
 * Adds a passkey to the holder's record (spec 4.7). Without a response in the body it returns the
 * options for `navigator.credentials.create()`; with one it verifies it.
 */
export const handler = route({
  POST: serveOperation(addPasskey, async (ctx, { holder, body }) => {
    const { response } = await body();
    const { services: { records: { passkeys } }, surface } = ctx.state;
    const reader = readerOfContext(ctx);
    const request = { ...holder, surface, reader };
    if (response === undefined) {
      const { options } = unwrap(await passkeys.registrationOptions(request));
      return ctx.json({ step: "options", ...options });
    }
    const { passkey } = unwrap(await passkeys.register(request, response));
    return ctx.json({ step: "done", passkey }, { status: 201 });
  }),
});
