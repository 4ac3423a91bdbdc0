import { StopPage } from "../../components/issuers/StopPage.tsx";
import { stopLinkSchema, type StoppableIssuer } from "../../lib/features/issuers/mod.ts";
import type { Failure } from "../../lib/base/result.ts";
import { checkInput } from "../../lib/platform/http/body.ts";
import type { SignedLink } from "../../lib/platform/http/signed_link.ts";
import { mailedLink } from "../../lib/app/mailed_link.ts";
import type { RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "A form for people.",
  noAuthority: "The token of the mailed link decides.",
};

/** The link in the mails to the contact of an issuer that stops everything of it, without a session. */
export const handler = mailedLink({
  link: (input) => checkInput(stopLinkSchema, input),
  open: async ({ state: { services } }, link) =>
    answer(link, await services.issuerKeys.readStoppable(link)),
  use: async ({ state: { services } }, link) =>
    answer(link, await services.issuerKeys.stopAll(link)),
});

const answer = (link: SignedLink, found: StoppableIssuer | Failure) => ({
  page: <StopPage {...{ link, found }} />,
  result: found,
});
