import { checkInput, readInput } from "../../lib/http/body.ts";
import { clearedBrowserCookie } from "../../lib/http/browser_cookie.ts";
import { withCookies } from "../../lib/http/cookies.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { clearedRecordCookie, readerOfContext, signOutSchema } from "../../lib/records/mod.ts";
import { define, type State } from "../../lib/state.ts";

/** Signs a holder out: in this browser, or wherever the open record may be opened. */
export const handler = define.handlers(endpoint<State>({
  async POST(ctx) {
    const { req, state: { holder, services: { records } } } = ctx;
    const { everywhere } = checkInput(signOutSchema, await readInput(req));
    if (everywhere !== undefined && holder !== null && holder.record !== null) {
      await records.signOutEverywhere(holder.record, readerOfContext(ctx));
    } else {
      await records.signOut(req);
    }
    const cookies = [clearedRecordCookie(), clearedBrowserCookie()];
    return withCookies(ctx.redirect("/my-record", 303), cookies);
  },
}));
