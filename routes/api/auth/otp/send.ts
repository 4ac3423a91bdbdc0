/** Sends a one-time code to a phone, to sign in or to confirm a record's number. */
import type { Context } from "fresh";
import type { z } from "zod";
import { renderCodePage } from "../../../../components/codes/CodePage.tsx";
import { sendCode } from "../../../../lib/features/api/mod.ts";
import { bodyOfCodeForm } from "../../../../lib/features/codes/mod.ts";
import { isFormPost } from "../../../../lib/platform/http/body.ts";
import { ensureBrowserId } from "../../../../lib/platform/http/browser_cookie.ts";
import { clientOf } from "../../../../lib/platform/http/client_address.ts";
import { withCookies } from "../../../../lib/platform/http/cookies.ts";
import { unwrap } from "../../../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../../../lib/platform/http/form_post.ts";
import { requestTokenOf } from "../../../../lib/features/oauth/mod.ts";
import { requireRecent } from "../../../../lib/features/records/mod.ts";
import { serveOperation } from "../../../../lib/app/serve_operation.ts";
import { route, type State } from "../../../../lib/app/state.ts";

/**
 * Sends a code by SMS or call (spec 4.7). For a sign-in, the response is the same for every number
 * that may get codes. A form that was posted without scripts leads to the page for the code.
 */
export const handler = route({
  POST: serveOperation(sendCode, async (ctx, { read, check }) => {
    const input = await read();
    const fields = input as Record<string, string>;
    return await orShowForm(ctx.req, async () => {
      const sent = await send(ctx, check(isFormPost(ctx.req) ? bodyOfCodeForm(fields) : input));
      const { cookie, ...json } = sent;
      const request = requestTokenOf(fields.request);
      const page = request === null ? json.page : `${json.page}?request=${request}`;
      return withCookies(formDone(ctx.req, page, { success: true, ...json }), [cookie]);
    }, (problem) => renderCodePage(ctx, { fields, problem }));
  }),
});

async function send(
  ctx: Context<State>,
  { purpose, method: channel, mobile: number }: z.infer<typeof sendCode.body>,
) {
  const { req, info, state } = ctx;
  const { id: browserId, cookie } = ensureBrowserId(req);
  const to = purpose === "sign_in"
    ? { purpose, number }
    : { purpose, holder: requireRecent(state, { waiting: true }) };
  const from = { browserId, clientAddress: clientOf(ctx), responded: info.completed };
  const sent = unwrap(await state.services.codes.send({ channel, to, ...from }));
  const page = purpose === "sign_in" ? "/my-record/code" : "/my-record/number";
  const { to: masked, retryAfterSeconds } = sent;
  return { to: masked, method: channel, retry_after_seconds: retryAfterSeconds, page, cookie };
}
