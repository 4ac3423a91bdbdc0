import { requireOperator } from "../../../../lib/features/console/http.ts";
import { signInSchema } from "../../../../lib/features/passkeys/mod.ts";
import { checkInput, readInput } from "../../../../lib/platform/http/body.ts";
import { unwrap } from "../../../../lib/platform/http/errors.ts";
import { route, type RouteProperties } from "../../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "both" };

/**
 * Records the use of a passkey in an operator's session, which opens sensitive pages. Without a response
 * in the body it returns the options for `navigator.credentials.get()`; with one it verifies it.
 */
export const handler = route({
  async POST(ctx) {
    const { session } = requireOperator(ctx.state);
    const { response } = checkInput(signInSchema, await readInput(ctx.req));
    const { services: { operatorPasskeys }, surface } = ctx.state;
    const request = { session, surface };
    if (response === undefined) {
      return ctx.json(unwrap(await operatorPasskeys.confirmationOptions(request)).options);
    }
    const { cookie } = unwrap(await operatorPasskeys.confirm(request, response));
    return ctx.json({ success: true }, { headers: { "set-cookie": cookie } });
  },
});
