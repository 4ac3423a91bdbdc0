/** The page where a recipient accepts or refuses a document that was issued to them. */
import { z } from "zod";
import { AcceptPage } from "../../components/issuing/AcceptPage.tsx";
import { describeRecords } from "../../components/records/describe_records.ts";
import { hashSchema } from "../../packages/proof/mod.ts";
import {
  type Accepted,
  type AcceptLink,
  acceptLinkSchema,
  offerCookie,
  offerOf,
  type OpenedOffer,
} from "../../lib/features/issuing/mod.ts";
import {
  linkUseOf,
  readerOfContext,
  requireHolderSession,
  returnCookie,
} from "../../lib/features/records/mod.ts";
import { checkInput } from "../../lib/platform/http/body.ts";
import { mailedLink } from "../../lib/app/mailed_link.ts";
import type { RouteProperties, State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "A form for people.",
  noAuthority: "The token of the mailed link decides. Only adding to a record demands its session.",
};

const answerSchema = z.discriminatedUnion("act", [
  z.object({ act: z.literal(["accept", "refuse", "sign_in"]) }),
  z.object({ act: z.literal("add"), record: hashSchema }),
  z.object({ act: z.literal("look"), document: z.string().max(64) }),
]);

/**
 * The link in the mail about an issued document. Its buttons show the document, accept it into a new record or one that
 * the browser is signed in to, or say that it is for somebody else. The browser remembers the link while it shows a
 * document or signs in, and then the address names none.
 */
export const handler = mailedLink({
  link: (input, req) => offerIn(input, req) ?? checkInput(acceptLinkSchema, input),
  open: async ({ state }, link) =>
    await answer(state, link, await state.services.issuing.acceptance.read(link)),
  async use(ctx, link, input) {
    const { state } = ctx;
    const { acceptance } = state.services.issuing;
    const given = checkInput(answerSchema, input);
    switch (given.act) {
      case "look":
        return {
          location: `/accept/${encodeURIComponent(given.document)}`,
          cookies: [offerCookie(link)],
        };
      case "sign_in":
        return {
          location: "/my-record?sign-in=1",
          cookies: [offerCookie(link), returnCookie("accept")],
        };
      case "refuse":
        return await answer(state, link, await acceptance.refuse(link));
      case "accept": {
        const accepted = await acceptance.accept(link, linkUseOf(ctx));
        return { ...await answer(state, link, accepted), cookie: accepted.cookie };
      }
      case "add": {
        if (state.holder === null) return await answer(state, link, await acceptance.read(link));
        const session = requireHolderSession(state);
        const reader = readerOfContext(ctx);
        const added = await acceptance.add(link, { record: given.record, session, reader });
        if (added.ok) return await answer(state, link, added);
        const page = await answer(state, link, await acceptance.read(link), added.message);
        return { ...page, result: added };
      }
    }
  },
});

/** Returns the link that the browser remembers, for a page whose address names none. */
const offerIn = (input: unknown, req: Request): AcceptLink | null =>
  req.method === "GET" && Object.keys(input as object).length === 0 ? offerOf(req) : null;

async function answer(state: State, link: AcceptLink, offer: Accepted, problem?: string) {
  const { holder, services: { documentParties, issuing, records } } = state;
  const choices = offer.ok && holder !== null ? await records.choicesOf(holder) : [];
  const fitting = offer.ok && offer.recipient.state === "waiting"
    ? await issuing.acceptance.recordsFor(offer.recipient, choices)
    : [];
  const page = (
    <AcceptPage
      {...{ state, link, offer, problem }}
      partiesOf={await documentParties.of(offer.ok ? offer.documents : [])}
      own={await describeRecords(state, fitting)}
      access={accessTo(state, offer)}
    />
  );
  return { page, result: offer as OpenedOffer };
}

/** Returns whether the browser has the record of accepted documents open, or may open it. */
function accessTo({ holder }: State, offer: Accepted): "open" | "closed" | "none" {
  if (!offer.ok || offer.recipient.record === null) return "none";
  const { openedRecord, cookie, recipient: { record } } = offer;
  if (openedRecord || holder?.record === record) return "open";
  return cookie || holder?.choices.includes(record) ? "closed" : "none";
}
