import { signOut } from "../../lib/features/api/mod.ts";
import { clearedBrowserCookie } from "../../lib/platform/http/browser_cookie.ts";
import { withCookies } from "../../lib/platform/http/cookies.ts";
import {
  clearedRecordCookie,
  readerOfContext,
  requireHolderSession,
} from "../../lib/features/records/mod.ts";
import { serveOperation } from "../../lib/app/serve_operation.ts";
import { route } from "../../lib/app/state.ts";

/** Signs a holder out: in this browser, or wherever the open record may be opened. */
export const handler = route({
  POST: serveOperation(signOut, async (ctx, { body }) => {
    const { req, state } = ctx;
    const { records } = state.services;
    const { everywhere } = await body();
    if (everywhere !== undefined && state.holder?.record) {
      const { record } = requireHolderSession(state);
      await records.signOutEverywhere(record!, readerOfContext(ctx));
    } else {
      await records.signOut(req);
    }
    const cookies = [clearedRecordCookie(), clearedBrowserCookie()];
    return withCookies(ctx.redirect("/my-record", 303), cookies);
  }),
});
