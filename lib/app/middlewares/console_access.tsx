/** The middleware of the consoles for requests without a session, layer or passkey. */
import type { Middleware } from "fresh";
import { ConsoleFrame } from "../../../components/console/ConsoleFrame.tsx";
import { NoAccessPage } from "../../../components/console/NoAccessPage.tsx";
import { signInPath } from "../../features/auth/mod.ts";
import { PasskeyRequired } from "../../features/console/http.ts";
import { wantsHtml, wantsJson } from "../../platform/http/audience.ts";
import { isFormPost } from "../../platform/http/body.ts";
import { problemOf, problemResponse, RequestError } from "../../platform/http/errors.ts";
import type { State } from "../state.ts";
import { renderGate } from "./passkey_gate.tsx";

/**
 * Explains in the browser why a console page or form is refused (spec 5.1): 401 redirects to the
 * sign-in page, which leads back, and 403 renders a page, which asks for a passkey if that is missing.
 * Programs get the error as JSON.
 *
 * @param formPage the page whose form posts to the routes below, to return to after signing in
 */
export function consoleAccess({ formPage }: { formPage?: string } = {}): Middleware<State> {
  return async (ctx) => {
    try {
      return await ctx.next();
    } catch (error) {
      const forPerson = formPage === undefined || isPageForm(ctx.req);
      if (!forPerson || !(error instanceof RequestError)) throw error;
      const { req, url, state } = ctx;
      const { session, layer } = state;
      if (error instanceof PasskeyRequired) {
        return wantsHtml(req) ? await renderGate(ctx, error) : problemResponse(problemOf(error));
      }
      if (session === null && error.status === 401) {
        const back = formPage === undefined ? ctx.url : new URL(formPage, ctx.url);
        return ctx.redirect(signInPath(back), ctx.req.method === "POST" ? 303 : 302);
      }
      if (session === null || error.status !== 403) throw error;
      state.bare = true;
      const visitor = { email: session.email, layer };
      const page = (
        <ConsoleFrame {...{ state, url, req, visitor }} title="No access">
          <NoAccessPage state={state} visitor={visitor} message={error.message} />
        </ConsoleFrame>
      );
      return await ctx.render(page, { status: 403 });
    }
  };
}

/**
 * Returns whether a browser submitted a form without scripts, so that the response must be a page.
 */
export const isPageForm = (req: Request): boolean => isFormPost(req) && !wantsJson(req);
