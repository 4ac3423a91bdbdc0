import type { Context } from "fresh";
import { StopPage } from "../../components/issuers/StopPage.tsx";
import {
  type StopLink,
  stopLinkSchema,
  type StoppableIssuer,
} from "../../lib/features/issuers/mod.ts";
import type { Failure } from "../../lib/base/result.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { statusOf } from "../../lib/platform/http/errors.ts";
import { CONFIDENTIAL } from "../../lib/platform/http/mailed_link.ts";
import { renderWithoutScripts } from "../../lib/platform/http/render.ts";
import { route, type RouteProperties, type State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "A form for people.",
  noAuthority: "The token of the mailed link decides.",
};

/**
 * The link in the mails to the contact of an issuer that stops everything of it, without a session. GET changes
 * nothing, because mail scanners open links too; the button does.
 */
export const handler = route({
  async GET(ctx) {
    const link = checkInput(stopLinkSchema, Object.fromEntries(ctx.url.searchParams));
    return render(ctx, link, await ctx.state.services.issuerKeys.readStoppable(link));
  },
  async POST(ctx) {
    const link = checkInput(stopLinkSchema, await readInput(ctx.req));
    return render(ctx, link, await ctx.state.services.issuerKeys.stopAll(link));
  },
});

const render = (ctx: Context<State>, link: StopLink, found: StoppableIssuer | Failure) =>
  renderWithoutScripts(ctx, <StopPage {...{ link, found }} />, {
    status: statusOf(found),
    headers: CONFIDENTIAL,
  });
