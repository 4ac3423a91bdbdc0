/** Revokes an issuer's API key with a link from a mail, for someone without a session. */
import { z } from "zod";
import { RevokePage } from "../../components/issuers/RevokePage.tsx";
import {
  type RevocableKey,
  revocationLinkSchema,
  webhooksChoice,
} from "../../lib/features/issuers/mod.ts";
import type { Failure } from "../../lib/base/result.ts";
import { checkInput } from "../../lib/platform/http/body.ts";
import type { SignedLink } from "../../lib/platform/http/signed_link.ts";
import { mailedLink } from "../../lib/app/mailed_link.ts";
import type { RouteProperties, State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "A form for people.",
  noAuthority: "The token of the mailed link decides.",
};

const choiceSchema = z.object({ webhooks: webhooksChoice.optional() });

/** The link in the mails about an API key, which revokes it without a session. */
export const handler = mailedLink({
  link: (input) => checkInput(revocationLinkSchema, input),
  open: async ({ state }, link) =>
    answer(state, link, await state.services.issuerKeys.readLinked(link)),
  async use({ state }, link, input) {
    const { issuerKeys } = state.services;
    const { webhooks } = checkInput(choiceSchema, input);
    const revoked = await issuerKeys.revokeLinked(link, webhooks);
    if (revoked.ok || revoked.error !== "invalid_request") return answer(state, link, revoked);
    return answer(state, link, await issuerKeys.readLinked(link), revoked);
  },
});

const answer = (
  state: State,
  link: SignedLink,
  linked: RevocableKey | Failure,
  refused?: Failure,
) => ({
  page: <RevokePage {...{ state, link, linked }} problem={refused?.issues?.webhooks} />,
  result: refused ?? linked,
});
