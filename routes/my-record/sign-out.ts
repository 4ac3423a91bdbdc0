import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { clearedBrowserCookie } from "../../lib/platform/http/browser_cookie.ts";
import { withCookies } from "../../lib/platform/http/cookies.ts";
import {
  clearedRecordCookie,
  readerOfContext,
  requireHolderSession,
  signOutSchema,
} from "../../lib/features/records/mod.ts";
import { route, type RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = { servesJson: true };

/** Signs a holder out: in this browser, or wherever the open record may be opened. */
export const handler = route({
  async POST(ctx) {
    const { req, state } = ctx;
    const { records } = state.services;
    const { everywhere } = checkInput(signOutSchema, await readInput(req));
    if (everywhere !== undefined && state.holder?.record) {
      const { record } = requireHolderSession(state);
      await records.signOutEverywhere(record!, readerOfContext(ctx));
    } else {
      await records.signOut(req);
    }
    const cookies = [clearedRecordCookie(), clearedBrowserCookie()];
    return withCookies(ctx.redirect("/my-record", 303), cookies);
  },
});
