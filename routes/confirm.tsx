import type { Context } from "fresh";
import { ConfirmPage } from "../components/contact/ConfirmPage.tsx";
import { ownerOf } from "../lib/features/contact/mod.ts";
import { tokenOf } from "../lib/platform/http/mailed_link.ts";
import { type EmailConfirmation, linkUseOf } from "../lib/features/records/mod.ts";
import { mailedLink } from "../lib/app/mailed_link.ts";
import type { RouteProperties, State } from "../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "A form for people.",
  noAuthority: "The token of the mailed link decides.",
};

/** The link of the confirmation mail, which confirms the address and signs in. */
export const handler = mailedLink({
  link: tokenOf,
  open: async (ctx, token) =>
    answer(ctx, token, await ctx.state.services.records.emails.read(token)),
  use: async (ctx, token) =>
    answer(ctx, token, await ctx.state.services.records.emails.confirm(token, linkUseOf(ctx))),
});

function answer(
  ctx: Context<State>,
  token: string,
  { confirmation, record, cookie, opened }: EmailConfirmation,
) {
  const { surface, holder } = ctx.state;
  if (confirmation.ok) {
    ctx.state.surface = { ...surface, organisation: ownerOf(confirmation.contact) };
  }
  const corrects = record !== null && record.row.replaces !== null;
  const signedIn = confirmation.ok && holder !== null && holder.record === confirmation.hash;
  const session = opened ? "opened" : cookie === null ? "other" : "added";
  const page = (
    <ConfirmPage state={ctx.state} {...{ confirmation, corrects, signedIn, session, token }} />
  );
  return { page, result: confirmation, cookie };
}
