import type { Context } from "fresh";
import { z } from "zod";
import { deviceCookies, normaliseEmail, TYPED_LIMIT } from "../auth/mod.ts";
import { checkInput, isFormPost, readInput } from "../http/body.ts";
import { clientAddress } from "../http/client_address.ts";
import { problemOf, unwrap } from "../http/errors.ts";
import { mailAddress } from "../mail/mod.ts";
import type { State } from "../state.ts";
import type { Surface } from "../surfaces/mod.ts";
import { authPage } from "./auth_page.tsx";
import { nextOn } from "./landing.ts";
import { wordsOf } from "./words.ts";

const MISSING = "Enter your email address.";
const MALFORMED = "This is not an email address that mail can be sent to.";

const input = z.object({
  email: z.string(MISSING).max(TYPED_LIMIT, MALFORMED).transform((typed, ctx) => {
    const email = normaliseEmail(typed);
    if (email !== null && mailAddress.safeParse(email).success) return email;
    ctx.addIssue({ code: "custom", message: typed.trim() === "" ? MISSING : MALFORMED });
    return z.NEVER;
  }),
  next: z.string().nullish().catch(null),
});

/**
 * `POST /api/auth/request` (spec 4.3): mails a sign-in link. The response is the same for every
 * well-formed address. A page's form gets a page.
 */
export async function requestEndpoint(ctx: Context<State>): Promise<Response> {
  const sent = await readInput(ctx.req);
  if (!isFormPost(ctx.req)) {
    await requestLink(ctx, sent);
    return ctx.json({ success: true });
  }
  const typed = typedInto(sent, ctx.state.surface);
  try {
    const email = await requestLink(ctx, sent);
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

async function requestLink(ctx: Context<State>, sent: unknown): Promise<string> {
  const { req, info, state: { services, surface } } = ctx;
  const { email, next } = checkInput(input, sent);
  unwrap(
    await services.auth.requestLink({
      email,
      clientAddress: clientAddress(req, info, services.config.trustProxy),
      devices: deviceCookies(req),
      surface,
      next: nextOn(surface, next),
      responded: info.completed,
    }),
  );
  return email;
}

const typedInto = (sent: unknown, surface: Surface) => {
  const { email = "", next } = sent as { email?: string; next?: string };
  return { email, next: nextOn(surface, next) };
};
