import { z } from "zod";
import { AcceptPage } from "../components/issuing/AcceptPage.tsx";
import {
  type AcceptLink,
  acceptLinkSchema,
  type OpenedOffer,
} from "../lib/features/issuing/mod.ts";
import { linkUseOf } from "../lib/features/records/mod.ts";
import { checkInput } from "../lib/platform/http/body.ts";
import { mailedLink } from "../lib/app/mailed_link.ts";
import type { RouteProperties, State } from "../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "A form for people.",
  noAuthority: "The token of the mailed link decides.",
};

const answerSchema = z.object({ act: z.enum(["accept", "refuse"]) });

/** The link in the mail about an issued document. Its buttons accept it, or say that it is for somebody else. */
export const handler = mailedLink({
  link: (input) => checkInput(acceptLinkSchema, input),
  open: async ({ state }, link) =>
    await answer(state, link, await state.services.issuing.acceptance.read(link)),
  async use(ctx, link, input) {
    const { state } = ctx;
    const { acceptance } = state.services.issuing;
    if (checkInput(answerSchema, input).act === "refuse") {
      return await answer(state, link, await acceptance.refuse(link));
    }
    const accepted = await acceptance.accept(link, linkUseOf(ctx));
    const { cookie } = accepted;
    return { ...await answer(state, link, accepted, cookie != null), cookie };
  },
});

async function answer(
  state: State,
  link: AcceptLink,
  offer: OpenedOffer,
  signedIn = state.holder !== null && offer.ok && state.holder.record === offer.recipient.record,
) {
  const partiesOf = await state.services.documentParties.of(offer.ok ? offer.documents : []);
  return { page: <AcceptPage {...{ state, link, offer, partiesOf, signedIn }} />, result: offer };
}
