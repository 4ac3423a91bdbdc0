import { renderCodePage } from "../../../../components/codes/CodePage.tsx";
import { verifyCode } from "../../../../lib/features/api/mod.ts";
import { browserIdOf } from "../../../../lib/platform/http/browser_cookie.ts";
import { clientOf } from "../../../../lib/platform/http/client_address.ts";
import { withCookies } from "../../../../lib/platform/http/cookies.ts";
import { unwrap } from "../../../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../../../lib/platform/http/form_post.ts";
import { consentPath, requestTokenOf } from "../../../../lib/features/oauth/mod.ts";
import { readerOfContext, requireRecent } from "../../../../lib/features/records/mod.ts";
import { serveOperation } from "../../../../lib/app/serve_operation.ts";
import { route } from "../../../../lib/app/state.ts";

/** Checks a code (spec 4.7). It signs in, or confirms the number of the open record. */
export const handler = route({
  POST: serveOperation(verifyCode, async (ctx, { read, check }) => {
    const input = await read();
    return await orShowForm(ctx.req, async () => {
      const { state: { services: { codes }, surface, holder } } = ctx;
      const { code, purpose } = check(input);
      const { cookie } = unwrap(
        await codes.verify({
          code,
          for: purpose === "sign_in"
            ? { purpose, surface: surface.name, previous: holder?.id ?? null }
            : { purpose, holder: requireRecent(ctx.state, { waiting: true }) },
          browserId: browserIdOf(ctx.req),
          clientAddress: clientOf(ctx),
          reader: readerOfContext(ctx),
        }),
      );
      const request = requestTokenOf((input as Record<string, unknown>).request);
      const next = request === null ? "/my-record" : consentPath(request);
      return withCookies(formDone(ctx.req, next), cookie === null ? [] : [cookie]);
    }, (problem) => renderCodePage(ctx, { fields: input as Record<string, string>, problem }));
  }),
});
