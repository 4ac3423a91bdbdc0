import type { Context } from "fresh";
import { z } from "zod";
import { RevokePage } from "../../components/issuers/RevokePage.tsx";
import {
  type LinkedKey,
  type RevocationLink,
  revocationLinkSchema,
  webhooksChoice,
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

const choiceSchema = z.object({ webhooks: webhooksChoice.optional() });

/**
 * The link in the mails about an API key, which works without a session. GET shows the key and changes nothing,
 * because mail scanners open links too; the button revokes it.
 */
export const handler = route({
  async GET(ctx) {
    const link = checkInput(revocationLinkSchema, Object.fromEntries(ctx.url.searchParams));
    return render(ctx, link, await ctx.state.services.issuerKeys.readLinked(link));
  },
  async POST(ctx) {
    const { issuerKeys } = ctx.state.services;
    const input = await readInput(ctx.req);
    const link = checkInput(revocationLinkSchema, input);
    const { webhooks } = checkInput(choiceSchema, input);
    const revoked = await issuerKeys.revokeLinked(link, webhooks);
    if (revoked.ok || revoked.error !== "invalid_request") return render(ctx, link, revoked);
    return render(ctx, link, await issuerKeys.readLinked(link), revoked);
  },
});

function render(
  ctx: Context<State>,
  link: RevocationLink,
  linked: LinkedKey | Failure,
  refused?: Failure,
) {
  const problem = refused?.issues?.webhooks;
  const page = <RevokePage state={ctx.state} {...{ link, linked, problem }} />;
  const status = statusOf(refused ?? linked);
  return renderWithoutScripts(ctx, page, { status, headers: CONFIDENTIAL });
}
