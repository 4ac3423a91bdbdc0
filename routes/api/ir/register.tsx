import type { Context } from "fresh";
import {
  actFor,
  NO_STORE,
  renderReceipt,
  renderRefusedForm,
} from "../../../components/contact/posted_form.tsx";
import { CONFIG } from "../../../lib/contact/config.ts";
import {
  bodyOfFormPost,
  contactUrls,
  type FormPost,
  isFormOrigin,
  organisationOf,
  receiptOf,
  registerQuery,
  submissionSchema,
} from "../../../lib/contact/mod.ts";
import { wantsJson } from "../../../lib/http/audience.ts";
import { checkInput, isFormPost, readInput } from "../../../lib/http/body.ts";
import { clientAddress } from "../../../lib/http/client_address.ts";
import { type CorsPolicy, withCors } from "../../../lib/http/cors.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { problemOf, RequestError, unwrap } from "../../../lib/http/errors.ts";
import { define, type State } from "../../../lib/state.ts";
import type { OrganisationKey } from "../../../lib/surfaces/mod.ts";

const policyOf = ({ state: { services } }: Context<State>): CorsPolicy => ({
  isAllowed: (origin) => isFormOrigin(origin, services),
  methods: ["POST"],
});

/**
 * `POST /api/ir/register` (spec 4.6): registers an enquiry. Programs get JSON. A form that is
 * posted without scripts gets a page: the receipt, or the form with its errors.
 */
export const handler = define.handlers(withCors(
  policyOf,
  endpoint<State>({
    async POST(ctx) {
      const origin = ctx.req.headers.get("origin");
      if (origin !== null && !policyOf(ctx).isAllowed(origin)) {
        throw new RequestError(403, CONFIG.COPY.FAILURES.forbidden);
      }
      const query = checkInput(registerQuery, Object.fromEntries(ctx.url.searchParams));
      const { surfaces } = ctx.state.services;
      const organisation = organisationOf({ origin, requested: query.organisation }, surfaces);
      const input = await readInput(ctx.req);
      if (isFormPost(ctx.req)) return await postForm(ctx, organisation, input as FormPost);
      const key = ctx.req.headers.get("idempotency-key") ?? undefined;
      const registered = await register(ctx, organisation, input, key);
      return ctx.json(registered, { status: 201, headers: NO_STORE });
    },
  }),
));

async function register(
  ctx: Context<State>,
  organisation: OrganisationKey,
  body: unknown,
  idempotencyKey?: string,
) {
  const { surface, services: { contact, config } } = ctx.state;
  const submission = checkInput(submissionSchema, body);
  const address = clientAddress(ctx.req, ctx.info, config.trustProxy);
  const sender = { organisation, clientAddress: address, idempotencyKey };
  const urls = contactUrls(surface, ctx.state.services)!; // the configuration requires both surfaces
  const { registered } = unwrap(await contact.register(submission, sender, urls));
  return receiptOf(registered, config.organisations[organisation].name, urls);
}

/** Responds with a page to a form that was posted without scripts. */
async function postForm(
  ctx: Context<State>,
  organisation: OrganisationKey,
  post: FormPost,
): Promise<Response> {
  const { state: { services }, req } = ctx;
  actFor(ctx, organisation);
  try {
    const body = await bodyOfFormPost(post, services.clock());
    const registered = await register(ctx, organisation, body, post.idempotency_key || undefined);
    if (wantsJson(req)) return ctx.json(registered, { status: 201, headers: NO_STORE });
    return await renderReceipt(ctx, registered);
  } catch (error) {
    const problem = problemOf(error);
    if (problem.status === 500 || wantsJson(req)) throw error;
    return await renderRefusedForm(ctx, organisation, post, problem);
  }
}
