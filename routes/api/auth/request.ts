import type { Context } from "fresh";
import { renderAuthPage } from "../../../components/auth/AuthPage.tsx";
import { signInProblem } from "../../../components/auth/request_link.ts";
import { deviceCookies, linkRequestSchema, nextOn } from "../../../lib/auth/mod.ts";
import { checkInput, isFormPost, readInput } from "../../../lib/http/body.ts";
import { clientAddress } from "../../../lib/http/client_address.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { problemOf, unwrap } from "../../../lib/http/errors.ts";
import { define, type State } from "../../../lib/state.ts";

/**
 * Requests a sign-in link (spec 4.3). The response is the same for every well-formed address. A
 * form that was posted without scripts gets a page.
 */
export const handler = define.handlers(endpoint<State>({
  async POST(ctx) {
    const input = await readInput(ctx.req);
    if (!isFormPost(ctx.req)) {
      await requestLink(ctx, input);
      return ctx.json({ success: true });
    }
    const fields = input as { email?: string; next?: string };
    const next = nextOn(ctx.state.surface, fields.next);
    try {
      const email = await requestLink(ctx, input);
      return await renderAuthPage(ctx, { phase: "sent", email, next });
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) throw error;
      const { email = "" } = fields;
      const view = { phase: "ask", email, next, problem: signInProblem(problem) } as const;
      return await renderAuthPage(ctx, view, problem);
    }
  },
}));

async function requestLink(ctx: Context<State>, input: unknown): Promise<string> {
  const { req, info, state: { services: { auth, config }, surface } } = ctx;
  const { email, next } = checkInput(linkRequestSchema, input);
  unwrap(
    await auth.requestLink({
      email,
      clientAddress: clientAddress(req, info, config.trustProxy),
      devices: deviceCookies(req),
      surface,
      next: nextOn(surface, next),
      responded: info.completed,
    }),
  );
  return email;
}
