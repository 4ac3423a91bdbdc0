/** Receives the contact form, also from pages of other sites. */
import type { Context } from "fresh";
import {
  actFor,
  NO_STORE,
  renderReceipt,
  renderRefusedForm,
} from "../../../components/contact/posted_form.tsx";
import { forbiddenOf } from "../../../lib/features/contact/config.ts";
import {
  bodyOfFormPost,
  contactUrls,
  type FormPost,
  isFormOrigin,
  organisationOf,
  receiptOf,
  registerQuery,
  siteOf,
  submissionSchema,
} from "../../../lib/features/contact/mod.ts";
import { wantsJson } from "../../../lib/platform/http/audience.ts";
import { checkInput, isFormPost, readInput } from "../../../lib/platform/http/body.ts";
import { clientOf } from "../../../lib/platform/http/client_address.ts";
import { withCors } from "../../../lib/platform/http/cors.ts";
import { RequestError, unwrap } from "../../../lib/platform/http/errors.ts";
import { orShowForm } from "../../../lib/platform/http/form_post.ts";
import { route, type RouteProperties, type State } from "../../../lib/app/state.ts";
import type { OrganisationKey } from "../../../lib/platform/surfaces/mod.ts";

export const properties: RouteProperties = {
  audience: "both",
  crossSite: "all",
  noAuthority: "Anyone may send an enquiry.",
};

/** A page of any site may read the response, which tells it if it may not use the form. */
const ANY_READER = () => ({ isAllowed: () => true, methods: ["POST"] });

/**
 * `POST /api/ir/register` (spec 4.6): registers an enquiry. Programs get JSON. A form that is
 * posted without scripts gets a page: the receipt, or the form with its errors.
 */
export const handler = withCors(
  ANY_READER,
  route({
    async POST(ctx) {
      const { req, url, state: { services } } = ctx;
      const origin = req.headers.get("origin");
      if (origin !== null && !isFormOrigin(origin, services)) {
        throw new RequestError(403, forbiddenOf(origin));
      }
      const query = checkInput(registerQuery, Object.fromEntries(url.searchParams));
      const requested = query.organisation;
      const organisation = organisationOf({ origin, requested }, services.surfaces);
      const input = await readInput(req);
      if (isFormPost(req)) actFor(ctx, organisation);
      if (!isFormPost(req) || wantsJson(req)) {
        const registered = await register(ctx, organisation, input);
        return ctx.json(registered, { status: 201, headers: NO_STORE });
      }
      return await orShowForm(
        req,
        async () => renderReceipt(ctx, organisation, await register(ctx, organisation, input)),
        (problem) => renderRefusedForm(ctx, organisation, input as FormPost, problem),
      );
    },
  }),
);

async function register(ctx: Context<State>, organisation: OrganisationKey, input: unknown) {
  const { req, state: { surface, services: { clock, config, contact, surfaces } } } = ctx;
  const post = isFormPost(req) ? input as FormPost : null;
  const body = post ? await bodyOfFormPost(post, clock()) : input;
  const key = post ? post.idempotency_key || null : req.headers.get("idempotency-key");
  const submission = checkInput(submissionSchema, body);
  const sender = {
    organisation,
    site: siteOf(req.headers.get("origin"), surfaces),
    clientAddress: clientOf(ctx),
    idempotencyKey: key ?? undefined,
  };
  const urls = contactUrls(surface, { surfaces })!; // the configuration requires both surfaces
  const { registered } = unwrap(await contact.register(submission, sender, urls));
  return receiptOf(registered, config.organisations[organisation].name, urls);
}
