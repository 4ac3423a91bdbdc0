import type { Context } from "fresh";
import { z } from "zod";
import { SignInPage, type SignInView } from "../../components/records/SignInPage.tsx";
import { deviceCookies } from "../../lib/auth/mod.ts";
import { checkInput, isFormPost, readInput } from "../../lib/http/body.ts";
import { ensureBrowserId } from "../../lib/http/browser_cookie.ts";
import { clientAddress } from "../../lib/http/client_address.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { type Problem, problemOf, unwrap } from "../../lib/http/errors.ts";
import { emailSchema } from "../../lib/mail/mod.ts";
import { define, type State } from "../../lib/state.ts";

const schema = z.object({ email: emailSchema() });

/**
 * Mails a link that opens the records of an address. The response is the same for every well-formed
 * address. A form that was posted without scripts gets a page.
 */
export const handler = define.handlers(endpoint<State>({
  async POST(ctx) {
    const input = await readInput(ctx.req);
    const { id: browser, cookie } = ensureBrowserId(ctx.req);
    const headers = { "set-cookie": cookie, "cache-control": "no-store" };
    if (!isFormPost(ctx.req)) {
      await requestLink(ctx, input, browser);
      return ctx.json({ success: true }, { headers });
    }
    try {
      const email = await requestLink(ctx, input, browser);
      return await renderPage(ctx, { phase: "sent", email }, { headers });
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) throw error;
      const { email = "" } = input as { email?: string };
      return await renderPage(ctx, { phase: "ask", email, ...noteOf(problem) }, problem);
    }
  },
}));

async function requestLink(ctx: Context<State>, input: unknown, browser: string): Promise<string> {
  const { req, info, state: { services: { records, config }, surface } } = ctx;
  const { email } = checkInput(schema, input);
  unwrap(
    await records.links.request({
      email,
      clientAddress: clientAddress(req, info, config.trustProxy),
      devices: deviceCookies(req),
      browser,
      surface,
      responded: info.completed,
    }),
  );
  return email;
}

const noteOf = ({ issues, message }: Problem) =>
  issues?.email === undefined ? { note: message } : { problem: issues.email };

const renderPage = (
  ctx: Context<State>,
  view: SignInView,
  init: { status?: number; headers?: Record<string, string> },
) => ctx.render(<SignInPage state={ctx.state} view={view} />, init);
