import { z } from "zod";
import { SignInPage } from "../../../components/records/SignInPage.tsx";
import { renderForRequest, requestOf } from "../../../components/oauth/render.tsx";
import { checkInput, readInput } from "../../../lib/platform/http/body.ts";
import { withCookies } from "../../../lib/platform/http/cookies.ts";
import { statusOf } from "../../../lib/platform/http/errors.ts";
import { consentPath } from "../../../lib/features/oauth/mod.ts";
import { linkUseOf } from "../../../lib/features/records/mod.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  noAuthority: "The code of the mailed link decides.",
};

const schema = z.object({
  request: z.string().max(100),
  code: z.string().max(100),
  email: z.string().max(254).default(""),
});

/** Signs in with the code that a mailed link has shown in another browser. */
export const handler = route({
  async POST(ctx) {
    const { request, code, email } = checkInput(schema, await readInput(ctx.req));
    const found = await requestOf(ctx, request);
    if (!found.ok) return found.response;
    const { view } = found;
    const use = { ...linkUseOf(ctx), request: view.token, code };
    const signedIn = await ctx.state.services.records.links.useCode(use);
    if (signedIn.ok) {
      return withCookies(ctx.redirect(consentPath(view.token), 303), [signedIn.cookie]);
    }
    const sent = { phase: "sent" as const, email, request: view, codeProblem: signedIn.message };
    const page = <SignInPage state={ctx.state} view={sent} />;
    return await renderForRequest(ctx, view.request, page, { status: statusOf(signedIn) });
  },
});
