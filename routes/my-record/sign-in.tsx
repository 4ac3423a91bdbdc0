/** Mails holders the link that signs them in to their records. */
import type { Context } from "fresh";
import { z } from "zod";
import { renderForRequest, requestOf } from "../../components/oauth/render.tsx";
import { SignInPage, type SignInView } from "../../components/records/SignInPage.tsx";
import { checkInput, isFormPost } from "../../lib/platform/http/body.ts";
import { ensureBrowserId } from "../../lib/platform/http/browser_cookie.ts";
import { clientOf } from "../../lib/platform/http/client_address.ts";
import { withCookies } from "../../lib/platform/http/cookies.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { orShowForm } from "../../lib/platform/http/form_post.ts";
import { requestLink } from "../../lib/features/api/mod.ts";
import { askedCookie } from "../../lib/features/auth/mod.ts";
import { readerOfContext } from "../../lib/features/records/mod.ts";
import { serveOperation } from "../../lib/app/serve_operation.ts";
import { route, type State } from "../../lib/app/state.ts";

const requestSchema = z.object({ request: z.string().max(100).optional() });

/**
 * Mails a link that opens the records of an address. The response is the same for every well-formed
 * address. A form that was posted without scripts gets a page. With the token of an app's request, the
 * link returns to the request.
 */
export const handler = route({
  POST: serveOperation(requestLink, async (ctx, { read, check }) => {
    const { req, info, state } = ctx;
    const input = await read();
    const { id: browser, cookie } = ensureBrowserId(req);
    const { request: given } = checkInput(requestSchema, input);
    const found = given === undefined ? null : await requestOf(ctx, given);
    if (found !== null && !found.ok) return found.response;
    const view = found?.view;
    return await orShowForm(req, async () => {
      const { email } = check(input);
      const from = { clientAddress: clientOf(ctx), browser };
      const request = view && { token: view.token, reader: readerOfContext(ctx) };
      const { surface, services } = state;
      const responded = info.completed;
      const cookies = [cookie];
      const onStored = (id: string) => void cookies.push(askedCookie(id, "/my-record"));
      const asked = { email, ...from, surface, responded, request, onStored };
      unwrap(await services.records.links.request(asked));
      const headers = { "cache-control": "no-store" };
      const page = { phase: "sent" as const, email, request: view };
      const response = isFormPost(req)
        ? await render(ctx, page, { headers })
        : ctx.json({ success: true }, { headers });
      return withCookies(response, cookies);
    }, (problem) => {
      const { email = "" } = input as { email?: string };
      const { issues, message } = problem;
      const note = issues?.email === undefined ? { note: message } : { problem: issues.email };
      return render(ctx, { phase: "ask", email, request: view, ...note }, problem);
    });
  }),
});

function render(ctx: Context<State>, view: SignInView, init: ResponseInit) {
  const page = <SignInPage state={ctx.state} view={view} />;
  if (view.request === undefined) return ctx.render(page, init);
  return renderForRequest(ctx, view.request.request, page, init);
}
