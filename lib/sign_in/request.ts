import type { Context } from "fresh";
import { z } from "zod";
import { type LinkResult, normaliseEmail } from "../auth/mod.ts";
import { checkInput, isFormPost, readInput } from "../http/body.ts";
import { clientAddress } from "../http/client_address.ts";
import { problemOf, RequestError } from "../http/errors.ts";
import { mailAddress, signInMail } from "../mail/mod.ts";
import type { State } from "../state.ts";
import type { Surface } from "../surfaces/mod.ts";
import { authPage } from "./auth_page.tsx";
import { nextOn } from "./landing.ts";
import { wordsOf } from "./words.ts";

const MISSING = "Enter your email address.";
const MALFORMED = "This is not an email address that mail can be sent to.";

const input = z.object({
  email: z.string(MISSING).transform((typed, ctx) => {
    const email = normaliseEmail(typed);
    if (email !== null && mailAddress.safeParse(email).success) return email;
    ctx.addIssue({ code: "custom", message: typed.trim() === "" ? MISSING : MALFORMED });
    return z.NEVER;
  }),
  next: z.string().nullish().catch(null),
});

/**
 * `POST /api/auth/request` (spec 4.3): mails a sign-in link. Every well-formed address gets the
 * same answer in the same time, for the mail leaves behind it. A page's form gets a page.
 */
export async function requestEndpoint(ctx: Context<State>): Promise<Response> {
  const sent = await readInput(ctx.req);
  if (!isFormPost(ctx.req)) {
    await sendLink(ctx, sent);
    return ctx.json({ success: true });
  }
  const typed = typedInto(sent, ctx.state.surface);
  try {
    const email = await sendLink(ctx, sent);
    return await authPage(ctx, { ...typed, email, phase: "sent" });
  } catch (error) {
    const problem = problemOf(error);
    if (problem.status >= 500) throw error;
    const { status, headers } = problem;
    return await authPage(ctx, { ...typed, phase: "ask", problem: wordsOf(problem) }, {
      status,
      headers,
    });
  }
}

/** Makes a token and posts its link, whose base is the surface's, whatever `Host` said. */
async function sendLink({ req, info, state }: Context<State>, sent: unknown): Promise<string> {
  const { services, surface } = state;
  const { auth, mailer, config } = services;
  const { email, next } = checkInput(input, sent);
  const asked = await auth.requestLink({
    email,
    clientAddress: clientAddress(req, info, config.trustProxy),
    surface: surface.name,
    next: nextOn(surface, next),
  });
  if (!asked.ok) throw refusalOf(asked);
  mailer.post(signInMail({
    product: surface.signIn?.product ?? config.productName,
    link: `${surface.baseUrl}/auth/verify?token=${asked.token}`,
    to: email,
  }));
  return email;
}

function refusalOf(asked: Extract<LinkResult, { ok: false }>): RequestError {
  if (asked.error === "invalid_request") {
    return new RequestError(400, undefined, { issues: { email: MALFORMED } });
  }
  const minutes = Math.ceil(asked.retryAfterSeconds / 60);
  return new RequestError(
    429,
    `Too many links were asked for. Try again in ${minutes} ${
      minutes === 1 ? "minute" : "minutes"
    }.`,
    { headers: { "retry-after": String(asked.retryAfterSeconds) } },
  );
}

const typedInto = (sent: unknown, surface: Surface) => {
  const { email = "", next } = sent as { email?: string; next?: string };
  return { email, next: nextOn(surface, next) };
};
