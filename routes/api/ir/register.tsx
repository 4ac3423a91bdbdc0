/** Receives the contact form, also from pages of other sites. */
import type { Context } from "fresh";
import type { z } from "zod";
import {
  actFor,
  NO_STORE,
  renderReceipt,
  renderRefusedForm,
} from "../../../components/contact/posted_form.tsx";
import { registerRecord } from "../../../lib/features/api/mod.ts";
import { forbiddenOf } from "../../../lib/features/contact/config.ts";
import {
  bodyOfFormPost,
  contactUrls,
  type FormPost,
  isFormOrigin,
  organisationOf,
  receiptOf,
  siteOf,
} from "../../../lib/features/contact/mod.ts";
import { wantsJson } from "../../../lib/platform/http/audience.ts";
import { isFormPost } from "../../../lib/platform/http/body.ts";
import { clientOf } from "../../../lib/platform/http/client_address.ts";
import { RequestError, unwrap } from "../../../lib/platform/http/errors.ts";
import { orShowForm } from "../../../lib/platform/http/form_post.ts";
import { serveOperation } from "../../../lib/app/serve_operation.ts";
import { route, type State } from "../../../lib/app/state.ts";
import type { OrganisationKey } from "../../../lib/platform/surfaces/mod.ts";

/**
 * `POST /api/ir/register` (spec 4.6): registers an enquiry. Programs get JSON. A form that is
 * posted without scripts gets a page: the receipt, or the form with its errors.
 */
export const handler = route({
  POST: serveOperation(registerRecord, async (ctx, given) => {
    const { req, state: { services } } = ctx;
    const origin = req.headers.get("origin");
    if (origin !== null && !isFormOrigin(origin, services)) {
      throw new RequestError(403, forbiddenOf(origin));
    }
    const requested = given.query.organisation;
    const organisation = organisationOf({ origin, requested }, services.surfaces);
    const input = await given.read();
    const post = isFormPost(req) ? input as FormPost : null;
    if (post !== null) actFor(ctx, organisation);
    const submit = async () => {
      const body = post === null ? input : await bodyOfFormPost(post, services.clock());
      const key = post === null ? req.headers.get("idempotency-key") : post.idempotency_key || null;
      return await register(ctx, organisation, given.check(body), key ?? undefined);
    };
    if (post === null || wantsJson(req)) {
      return ctx.json(await submit(), { status: 201, headers: NO_STORE });
    }
    return await orShowForm(
      req,
      async () => renderReceipt(ctx, organisation, await submit()),
      (problem) => renderRefusedForm(ctx, organisation, post, problem),
    );
  }),
});

async function register(
  ctx: Context<State>,
  organisation: OrganisationKey,
  submission: z.output<typeof registerRecord.body>,
  idempotencyKey: string | undefined,
) {
  const { req, state: { surface, services: { config, contact, surfaces } } } = ctx;
  const site = siteOf(req.headers.get("origin"), surfaces);
  const sender = { organisation, site, clientAddress: clientOf(ctx), idempotencyKey };
  const urls = contactUrls(surface, { surfaces })!; // the configuration requires both surfaces
  const { registered } = unwrap(await contact.register(submission, sender, urls));
  return receiptOf(registered, config.organisations[organisation].name, urls);
}
