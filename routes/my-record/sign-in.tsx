import type { Context } from "fresh";
import { SignInPage } from "../../components/records/SignInPage.tsx";
import { deviceCookies } from "../../lib/auth/mod.ts";
import { checkInput, isFormPost, readInput } from "../../lib/http/body.ts";
import { ensureBrowserId } from "../../lib/http/browser_cookie.ts";
import { clientOf } from "../../lib/http/client_address.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { type Problem, unwrap } from "../../lib/http/errors.ts";
import { orShowForm } from "../../lib/http/form_post.ts";
import { recordLinkSchema } from "../../lib/records/mod.ts";
import { define, type State } from "../../lib/state.ts";

/**
 * Mails a link that opens the records of an address. The response is the same for every well-formed
 * address. A form that was posted without scripts gets a page.
 */
export const handler = define.handlers(endpoint<State>({
  async POST(ctx) {
    const { req, info, state } = ctx;
    const input = await readInput(req);
    const { id: browser, cookie } = ensureBrowserId(req);
    return await orShowForm(req, async () => {
      const { email } = checkInput(recordLinkSchema, input);
      const from = { clientAddress: clientOf(ctx), devices: deviceCookies(req), browser };
      const wish = { email, ...from, surface: state.surface, responded: info.completed };
      unwrap(await state.services.records.links.request(wish));
      const headers = { "set-cookie": cookie, "cache-control": "no-store" };
      if (!isFormPost(req)) return ctx.json({ success: true }, { headers });
      const page = <SignInPage state={state} view={{ phase: "sent", email }} />;
      return await ctx.render(page, { headers });
    }, (problem) => renderProblem(ctx, problem, input as { email?: string }));
  },
}));

function renderProblem(ctx: Context<State>, problem: Problem, { email = "" }: { email?: string }) {
  const { issues, message } = problem;
  const note = issues?.email === undefined ? { note: message } : { problem: issues.email };
  const view = { phase: "ask" as const, email, ...note };
  return ctx.render(<SignInPage state={ctx.state} view={view} />, problem);
}
