import type { Context } from "fresh";
import { EnquiryPage } from "../../components/contact/EnquiryPage.tsx";
import { ReceiptPage } from "../../components/contact/ReceiptPage.tsx";
import { wantsJson } from "../http/audience.ts";
import { checkInput, isFormPost, readInput } from "../http/body.ts";
import { clientAddress } from "../http/client_address.ts";
import { type CorsPolicy, withCors } from "../http/cors.ts";
import { endpoint, type EndpointHandler } from "../http/endpoint.ts";
import { type Problem, problemOf, RequestError } from "../http/errors.ts";
import type { State } from "../state.ts";
import { type Addresses, addressesOn } from "./addresses.ts";
import { answerOf } from "./answer.ts";
import { CONFIG } from "./config.ts";
import type { Registered } from "./contract.ts";
import { bodyOfForm, type FormFields } from "./form_post.ts";
import type { RegisterResult } from "./register.ts";
import { submissionSchema } from "./submission.ts";

const { COPY, LEAST_ELAPSED_MS } = CONFIG;

/** A chain grows, and the answer names a person's record: no cache keeps it. */
const CAREFUL = { "cache-control": "no-store" };

/** Our own pages and those that may embed the form; `null`, which any page can send, is none. */
const policyOf = ({ state: { services: { surfaces, config } } }: Context<State>): CorsPolicy => ({
  isAllowed: (origin) => surfaces.isOwnOrigin(origin) || config.contact.origins.includes(origin),
  methods: ["POST"],
});

/**
 * `POST /api/ir/register` (spec 4.6): registers an enquiry. Programs get JSON; a page's form, posted
 * without scripts, gets a receipt, or itself again with what is wrong.
 */
export const registerEndpoint: EndpointHandler<State> = withCors(
  policyOf,
  endpoint({ POST: post }),
);

async function post(ctx: Context<State>): Promise<Response> {
  const origin = ctx.req.headers.get("origin");
  if (origin !== null && !policyOf(ctx).isAllowed(origin)) {
    throw new RequestError(403, COPY.FAILURES.forbidden);
  }
  // Where this endpoint is, the configuration asks for a trust surface too.
  const addresses = addressesOn(ctx.state.surface, ctx.state.services)!;
  const sent = await readInput(ctx.req);
  if (!isFormPost(ctx.req)) {
    const key = ctx.req.headers.get("idempotency-key") ?? undefined;
    const registered = await register(ctx, addresses, sent, key);
    return ctx.json(registered, { status: 201, headers: CAREFUL });
  }
  return await postForm(ctx, addresses, sent as FormFields);
}

async function postForm(
  ctx: Context<State>,
  addresses: Addresses,
  fields: FormFields,
): Promise<Response> {
  const now = ctx.state.services.clock();
  ctx.state.scripts = false;
  try {
    const key = fields.idempotency_key || undefined;
    const registered = await register(ctx, addresses, bodyOfForm(fields, now), key);
    if (wantsJson(ctx.req)) return ctx.json(registered, { status: 201, headers: CAREFUL });
    return await ctx.render(<ReceiptPage {...registered} />, { status: 201, headers: CAREFUL });
  } catch (error) {
    const problem = problemOf(error);
    if (problem.status === 500 || wantsJson(ctx.req)) throw error;
    return await formAgain(ctx, addresses, fields, problem, now);
  }
}

/** Everything that was typed is in it again. */
function formAgain(
  ctx: Context<State>,
  { register: action }: Addresses,
  fields: FormFields,
  { status, code, message, issues, headers }: Problem,
  now: number,
): Promise<Response> {
  const challenge = ctx.state.services.config.contact.challenge !== undefined;
  const openedAt = Date.parse(fields.rendered_at?.slice(0, 30) ?? "");
  // Under the key that is taken by another enquiry, this one could never be sent.
  const newKey = status === 409 || issues?.idempotency_key !== undefined || !fields.idempotency_key;
  const form = {
    action,
    values: fields,
    issues,
    renderedAt: new Date(openedAt <= now ? openedAt : now).toISOString(),
    idempotencyKey: newKey ? crypto.randomUUID() : fields.idempotency_key,
    challenge,
  };
  const title = issues !== undefined
    ? COPY.PROBLEM_TITLE
    : code === "idempotency_mismatch"
    ? COPY.CONFLICT_TITLE
    : COPY.FAILURE_TITLE;
  const text = code === "challenge_failed" ? COPY.FAILURES.challenge_missing : message;
  return ctx.render(<EnquiryPage problem={{ title, text }} form={form} />, {
    status,
    headers: { ...CAREFUL, ...headers },
  });
}

/** A key as it may stand in the header (visible ASCII). */
const KEY = /^[\x21-\x7e]{1,200}$/;

async function register(
  { req, info, state: { services } }: Context<State>,
  addresses: Addresses,
  body: unknown,
  idempotencyKey: string | undefined,
): Promise<Registered> {
  if (idempotencyKey !== undefined && !KEY.test(idempotencyKey)) {
    const issues = { idempotency_key: "Use 1 to 200 visible ASCII characters." };
    throw new RequestError(400, "The idempotency key cannot be used.", { issues });
  }
  const submission = checkInput(submissionSchema, body);
  if (submission.elapsedMs < LEAST_ELAPSED_MS) {
    throw new RequestError(400, COPY.FAILURES.too_fast, { code: "too_fast" });
  }
  const result = await services.contact.register(submission, {
    clientAddress: clientAddress(req, info, services.config.trustProxy),
    idempotencyKey,
  }, addresses);
  if (!result.ok) throw refusalOf(result);
  return answerOf(result.registered, addresses);
}

function refusalOf(result: Extract<RegisterResult, { ok: false }>): RequestError {
  const { FAILURES } = COPY;
  switch (result.error) {
    case "rate_limited": {
      const { retryAfterSeconds } = result;
      const minutes = Math.ceil(retryAfterSeconds / 60);
      const when = `in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
      return new RequestError(429, FAILURES.rate_limited.replace("{when}", when), {
        headers: { "retry-after": String(retryAfterSeconds) },
      });
    }
    case "idempotency_mismatch":
      return new RequestError(409, FAILURES.conflict, { code: result.error });
    case "challenge_failed":
      return new RequestError(400, FAILURES.challenge_failed, { code: result.error });
  }
}
