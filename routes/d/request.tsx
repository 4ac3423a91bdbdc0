import {
  ConfirmedRequestPage,
  ConfirmRequestPage,
} from "../../components/documents/ConfirmRequestPage.tsx";
import { statusOf } from "../../lib/platform/http/errors.ts";
import { CONFIDENTIAL, namedIn, readToken } from "../../lib/platform/http/mailed_link.ts";
import { renderWithoutScripts } from "../../lib/platform/http/render.ts";
import { documentOf } from "../../lib/features/documents/mod.ts";
import { readerOfContext } from "../../lib/features/records/mod.ts";
import { route, type RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "A form for people.",
  noAuthority: "The token of the mailed link decides.",
};

/**
 * The link that confirms the address of an access request. GET shows a button and changes nothing,
 * because mail scanners open links too.
 */
export const handler = route({
  async GET(ctx) {
    const token = await readToken(ctx);
    const opened = await ctx.state.services.access.readConfirmation(token, namedIn(ctx.url)[0]);
    const init = { status: statusOf(opened), headers: CONFIDENTIAL };
    const page = <ConfirmRequestPage opened={opened} token={token} named={documentOf(ctx.url)} />;
    return renderWithoutScripts(ctx, page, init);
  },
  async POST(ctx) {
    const token = await readToken(ctx);
    const result = await ctx.state.services.access.confirm(token, readerOfContext(ctx));
    const wait = !result.ok && result.error === "rate_limited" ? result.retryAfterSeconds : null;
    const headers = wait === null ? CONFIDENTIAL : { ...CONFIDENTIAL, "retry-after": `${wait}` };
    const init = { status: statusOf(result), headers };
    const page = <ConfirmedRequestPage result={result} named={documentOf(ctx.url)} />;
    return renderWithoutScripts(ctx, page, init);
  },
});
