/** The pages that respond to a contact form posted without scripts. */
import type { Context } from "fresh";
import {
  backTo,
  contactUrls,
  type FormPost,
  registerFor,
  retryFields,
} from "../../lib/features/contact/mod.ts";
import type { Problem } from "../../lib/platform/http/errors.ts";
import type { State } from "../../lib/app/state.ts";
import type { OrganisationKey } from "../../lib/platform/surfaces/mod.ts";
import type { Registered } from "../../lib/features/contact/receipt.ts";
import { EnquiryPage } from "./EnquiryPage.tsx";
import { ReceiptPage } from "./ReceiptPage.tsx";

/** The responses contain a person's record and the current state of its chain. */
export const NO_STORE = { "cache-control": "no-store" };

/** The API responds on behalf of the site with the form, so its pages show that organisation. */
export function actFor({ state }: Context<State>, organisation: OrganisationKey): void {
  state.scripts = false;
  state.surface = { ...state.surface, organisation };
}

const backOf = ({ req, state }: Context<State>, organisation: OrganisationKey) =>
  backTo({ origin: req.headers.get("origin"), organisation }, state.services.surfaces);

export function renderReceipt(
  ctx: Context<State>,
  organisation: OrganisationKey,
  receipt: Registered,
): Response | Promise<Response> {
  return ctx.render(<ReceiptPage {...receipt} back={backOf(ctx, organisation)} />, {
    status: 201,
    headers: NO_STORE,
  });
}

/** Responds with the form that was refused, with what was wrong. */
export function renderRefusedForm(
  ctx: Context<State>,
  organisation: OrganisationKey,
  post: FormPost,
  problem: Problem,
): Response | Promise<Response> {
  const { surface, services } = ctx.state;
  const { config, clock } = services;
  const form = {
    action: registerFor(contactUrls(surface, services)!.register, organisation),
    values: post,
    challenge: config.contact.challenge !== undefined,
    privacy: services.surfaces.url("trust", "/privacy") ?? undefined,
    ...retryFields(post, problem, clock()),
  };
  const { name } = config.organisations[organisation];
  return ctx.render(
    <EnquiryPage organisation={name} {...{ back: backOf(ctx, organisation), problem, form }} />,
    {
      status: problem.status,
      headers: { ...NO_STORE, ...problem.headers },
    },
  );
}
