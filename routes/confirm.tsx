import type { Context } from "fresh";
import { ConfirmPage } from "../components/contact/ConfirmPage.tsx";
import { ownerOf } from "../lib/features/contact/mod.ts";
import { withCookies } from "../lib/platform/http/cookies.ts";
import { statusOf } from "../lib/platform/http/errors.ts";
import { CONFIDENTIAL, namedIn, readToken } from "../lib/platform/http/mailed_link.ts";
import { renderWithoutScripts } from "../lib/platform/http/render.ts";
import { type EmailConfirmation, linkUseOf } from "../lib/features/records/mod.ts";
import { route, type RouteProperties, type State } from "../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "A form for people.",
  noAuthority: "The token of the mailed link decides.",
};

/**
 * The link of the confirmation mail. GET shows a button and changes nothing,
 * because mail scanners open links too; the button's POST confirms the address and signs in.
 */
export const handler = route({
  async GET(ctx) {
    const token = await readToken(ctx);
    const [named] = namedIn(ctx.url);
    return render(ctx, token, await ctx.state.services.records.emails.read(token, named));
  },
  async POST(ctx) {
    const token = await readToken(ctx);
    const { records } = ctx.state.services;
    const confirmed = await records.emails.confirm(token, linkUseOf(ctx));
    const response = await render(ctx, token, confirmed);
    return confirmed.cookie === null ? response : withCookies(response, [confirmed.cookie]);
  },
});

async function render(
  ctx: Context<State>,
  token: string,
  { confirmation, record }: EmailConfirmation,
) {
  const { surface, holder } = ctx.state;
  if (confirmation.ok) {
    ctx.state.surface = { ...surface, organisation: ownerOf(confirmation.contact) };
  }
  const corrects = record !== null && record.row.replaces !== null;
  const signedIn = confirmation.ok && holder !== null && holder.record === confirmation.hash;
  const page = <ConfirmPage state={ctx.state} {...{ confirmation, corrects, signedIn, token }} />;
  const init = { status: statusOf(confirmation), headers: CONFIDENTIAL };
  return await renderWithoutScripts(ctx, page, init);
}
