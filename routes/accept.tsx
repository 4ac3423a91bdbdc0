import type { Context } from "fresh";
import { z } from "zod";
import { AcceptPage } from "../components/issuing/AcceptPage.tsx";
import type { AcceptLink, OpenedOffer } from "../lib/features/issuing/mod.ts";
import { linkUseOf } from "../lib/features/records/mod.ts";
import { checkInput, readInput } from "../lib/platform/http/body.ts";
import { withCookies } from "../lib/platform/http/cookies.ts";
import { statusOf } from "../lib/platform/http/errors.ts";
import { CONFIDENTIAL } from "../lib/platform/http/mailed_link.ts";
import { renderWithoutScripts } from "../lib/platform/http/render.ts";
import { route, type RouteProperties, type State } from "../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "A form for people.",
  noAuthority: "The token of the mailed link decides.",
};

const INCOMPLETE = "Open the complete link from the mail.";
const linkSchema = z.object({
  of: z.string(INCOMPLETE).max(64, INCOMPLETE),
  token: z.string(INCOMPLETE).max(200, INCOMPLETE),
}).transform(({ of, token }): AcceptLink => ({ id: of, token }));
const answerSchema = z.object({ act: z.enum(["accept", "refuse"]) });

/**
 * The link in the mail about an issued document. GET shows the offer and changes nothing, because mail
 * scanners open links too; the buttons accept it, or say that it is for somebody else.
 */
export const handler = route({
  async GET(ctx) {
    const link = checkInput(linkSchema, Object.fromEntries(ctx.url.searchParams));
    return render(ctx, link, await ctx.state.services.issuing.acceptance.read(link));
  },
  async POST(ctx) {
    const input = await readInput(ctx.req);
    const link = checkInput(linkSchema, input);
    const { acceptance } = ctx.state.services.issuing;
    if (checkInput(answerSchema, input).act === "refuse") {
      return render(ctx, link, await acceptance.refuse(link));
    }
    const accepted = await acceptance.accept(link, linkUseOf(ctx));
    const response = await render(ctx, link, accepted, accepted.cookie != null);
    return accepted.cookie ? withCookies(response, [accepted.cookie]) : response;
  },
});

async function render(
  ctx: Context<State>,
  link: AcceptLink,
  offer: OpenedOffer,
  signedIn = ctx.state.holder !== null && offer.ok &&
    ctx.state.holder.record === offer.recipient.record,
) {
  const { documentParties } = ctx.state.services;
  const partiesOf = await documentParties.of(offer.ok ? offer.documents : []);
  const page = <AcceptPage state={ctx.state} {...{ link, offer, partiesOf, signedIn }} />;
  return await renderWithoutScripts(ctx, page, { status: statusOf(offer), headers: CONFIDENTIAL });
}
