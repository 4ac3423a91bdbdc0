/** Mails a link to sign in to an account. */
import { renderAuthPage } from "../../../components/auth/AuthPage.tsx";
import { signInProblem } from "../../../components/auth/request_link.ts";
import { askedCookie, linkRequestSchema, nextOn } from "../../../lib/features/auth/mod.ts";
import { checkInput, isFormPost, readInput } from "../../../lib/platform/http/body.ts";
import { clientOf } from "../../../lib/platform/http/client_address.ts";
import { withCookies } from "../../../lib/platform/http/cookies.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { orShowForm } from "../../../lib/platform/http/form_post.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "both",
  notInOpenApi: "For our own sign-in pages.",
  noAuthority: "Anyone may ask for a link to an address.",
};

/**
 * Requests a sign-in link (spec 4.3). The response is the same for every well-formed address. A
 * form that was posted without scripts gets a page.
 */
export const handler = route({
  async POST(ctx) {
    const { req, info, state: { services: { auth }, surface } } = ctx;
    const input = await readInput(req);
    return await orShowForm(req, async () => {
      const { email, next: given } = checkInput(linkRequestSchema, input);
      const next = nextOn(surface, given);
      const clientAddress = clientOf(ctx);
      const responded = info.completed;
      const cookies: string[] = [];
      const onStored = (id: string) => void cookies.push(askedCookie(id, "/auth"));
      unwrap(await auth.requestLink({ email, clientAddress, surface, next, responded, onStored }));
      const response = isFormPost(req)
        ? await renderAuthPage(ctx, { phase: "sent", email, next })
        : ctx.json({ success: true });
      return withCookies(response, cookies);
    }, (problem) => {
      const { email = "", next } = input as { email?: string; next?: string };
      const form = { phase: "ask", email, next: nextOn(surface, next) } as const;
      return renderAuthPage(ctx, { ...form, problem: signInProblem(problem) }, problem);
    });
  },
});
