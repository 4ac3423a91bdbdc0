import { z } from "zod";
import {
  ConfirmedRequestPage,
  ConfirmRequestPage,
} from "../../components/documents/ConfirmRequestPage.tsx";
import { checkInput, readInput } from "../../lib/http/body.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readerOfContext } from "../../lib/records/mod.ts";
import { define, type State } from "../../lib/state.ts";

const input = z.object({ token: z.string("Open the complete link from the mail.").max(200) });
const STATUSES = { not_found: 404, used: 410 };
/** The URL contains a secret, which must not reach caches or other pages. */
const HEADERS = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/**
 * The link that confirms the address of an access request. GET shows a button and changes nothing,
 * because mail scanners open links too.
 */
export const handler = define.handlers(endpoint<State>({
  async GET(ctx) {
    ctx.state.scripts = false;
    const { token } = checkInput(input, Object.fromEntries(ctx.url.searchParams));
    const opened = await ctx.state.services.access.readConfirmation(token);
    const status = opened.ok ? 200 : STATUSES[opened.error];
    return ctx.render(<ConfirmRequestPage opened={opened} token={token} />, {
      status,
      headers: HEADERS,
    });
  },
  async POST(ctx) {
    ctx.state.scripts = false;
    const { token } = checkInput(input, await readInput(ctx.req));
    const result = await ctx.state.services.access.confirm(token, readerOfContext(ctx));
    const status = result.ok ? 200 : STATUSES[result.error];
    return ctx.render(<ConfirmedRequestPage result={result} />, { status, headers: HEADERS });
  },
}));
