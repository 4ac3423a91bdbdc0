import { requireOperator } from "../../../../lib/features/console/http.ts";
import { codeSchema } from "../../../../lib/features/passkeys/mod.ts";
import { registrationSchema } from "../../../../lib/features/passkeys/mod.ts";
import { checkInput, readInput } from "../../../../lib/platform/http/body.ts";
import { clientOf } from "../../../../lib/platform/http/client_address.ts";
import { deviceOf } from "../../../../lib/platform/http/device.ts";
import { unwrap } from "../../../../lib/platform/http/errors.ts";
import { route, type RouteProperties } from "../../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "both" };

const input = registrationSchema.extend({ code: codeSchema });

/**
 * Adds a passkey of an operator. Without a response in the body it returns the options for
 * `navigator.credentials.create()`; with one it verifies it.
 */
export const handler = route({
  async POST(ctx) {
    const { session } = requireOperator(ctx.state);
    const { response, code } = checkInput(input, await readInput(ctx.req));
    const { services: { operatorPasskeys }, surface } = ctx.state;
    if (response === undefined) {
      const issued = await operatorPasskeys.registrationOptions({ session, surface }, code);
      return ctx.json(unwrap(issued).options);
    }
    const device = deviceOf(ctx.req, clientOf(ctx));
    const { cookie } = unwrap(
      await operatorPasskeys.register({ session, surface, device }, response),
    );
    return ctx.json({ success: true }, { status: 201, headers: { "set-cookie": cookie } });
  },
});
