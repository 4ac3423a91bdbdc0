import { landingOn } from "../../../../lib/features/auth/mod.ts";
import { signInSchema } from "../../../../lib/features/passkeys/mod.ts";
import { checkInput, readInput } from "../../../../lib/platform/http/body.ts";
import { browserIdOf, ensureBrowserId } from "../../../../lib/platform/http/browser_cookie.ts";
import { clientOf } from "../../../../lib/platform/http/client_address.ts";
import { deviceOf } from "../../../../lib/platform/http/device.ts";
import { unwrap } from "../../../../lib/platform/http/errors.ts";
import { route, type RouteProperties } from "../../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "both",
  noAuthority: "It signs in.",
};

/**
 * Signs an operator in with a passkey. Without a response in the body it returns the options for
 * `navigator.credentials.get()`; with one it verifies it and sets the session's cookie.
 */
export const handler = route({
  async POST(ctx) {
    const { response } = checkInput(signInSchema, await readInput(ctx.req));
    const { services: { operatorPasskeys }, surface, session: previous } = ctx.state;
    const clientAddress = clientOf(ctx);
    if (response === undefined) {
      const { id: browser, cookie } = ensureBrowserId(ctx.req);
      const request = { surface, browser, clientAddress };
      const { options } = unwrap(await operatorPasskeys.signInOptions(request));
      return ctx.json(options, { headers: { "set-cookie": cookie } });
    }
    const browser = browserIdOf(ctx.req);
    const device = deviceOf(ctx.req, clientAddress);
    const request = { surface, browser, previous, device };
    const { cookie } = unwrap(await operatorPasskeys.signIn(request, response));
    return ctx.json({ next: landingOn(surface, null) }, { headers: { "set-cookie": cookie } });
  },
});
