import { signInWithPasskey } from "../../../lib/features/api/mod.ts";
import { browserIdOf, ensureBrowserId } from "../../../lib/platform/http/browser_cookie.ts";
import { clientOf } from "../../../lib/platform/http/client_address.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { readerOfContext } from "../../../lib/features/records/mod.ts";
import { serveOperation } from "../../../lib/app/serve_operation.ts";
import { route } from "../../../lib/app/state.ts";

/**
 * Signs a holder in with a passkey (spec 4.7). Without a response in the body it returns the options
 * for `navigator.credentials.get()`; with one it verifies it and sets the session's cookie.
 */
export const handler = route({
  POST: serveOperation(signInWithPasskey, async (ctx, { body }) => {
    const { response } = await body();
    const { services: { records: { passkeys } }, surface, holder } = ctx.state;
    const clientAddress = clientOf(ctx);
    if (response === undefined) {
      const { id: browser, cookie } = ensureBrowserId(ctx.req);
      const issued = unwrap(await passkeys.signInOptions({ surface, browser, clientAddress }));
      return ctx.json({ step: "options", ...issued.options }, { headers: headersWith(cookie) });
    }
    const reader = readerOfContext(ctx);
    const browser = browserIdOf(ctx.req);
    const previous = holder?.id ?? null;
    const request = { surface, browser, previous, reader };
    const { cookie } = unwrap(await passkeys.signIn(request, response));
    return ctx.json({ step: "done", next: "/my-record" }, { headers: headersWith(cookie) });
  }),
});

const headersWith = (cookie: string) => ({ "set-cookie": cookie, "cache-control": "no-store" });
