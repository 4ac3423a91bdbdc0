import type { Context } from "fresh";
import { redirectForHolder, renderCodePage } from "../../../../components/codes/CodePage.tsx";
import { bodyOfCodeForm, sendSchema } from "../../../../lib/codes/mod.ts";
import { checkInput, isFormPost, readInput } from "../../../../lib/http/body.ts";
import { ensureBrowserId } from "../../../../lib/http/browser_cookie.ts";
import { clientAddress } from "../../../../lib/http/client_address.ts";
import { endpoint } from "../../../../lib/http/endpoint.ts";
import { RequestError, unwrap } from "../../../../lib/http/errors.ts";
import { requireRecent } from "../../../../lib/records/mod.ts";
import { define, type State } from "../../../../lib/state.ts";

/**
 * Sends a code by SMS or call (spec 4.7). For a sign-in, the response is the same for every number
 * that may get codes. A form that was posted without scripts leads to the page for the code.
 */
export const handler = define.handlers(endpoint<State>({
  async POST(ctx) {
    const input = await readInput(ctx.req);
    if (!isFormPost(ctx.req)) {
      const { headers, ...sent } = await send(ctx, input);
      return ctx.json({ success: true, ...sent }, { headers });
    }
    const fields = input as Record<string, string>;
    try {
      const { headers, page } = await send(ctx, bodyOfCodeForm(fields));
      return new Response(null, { status: 303, headers: { ...headers, location: page } });
    } catch (error) {
      return redirectForHolder(error) ?? await renderCodePage(ctx, { fields, error });
    }
  },
}));

async function send(ctx: Context<State>, input: unknown) {
  const { req, info, state: { services: { codes, config } } } = ctx;
  const { purpose, method: channel, mobile } = checkInput(sendSchema, input);
  const { id: browserId, cookie } = ensureBrowserId(req);
  const number = mobile ?? (await codes.pending(purpose, browserId))?.number;
  if (purpose === "sign_in" && number === undefined) {
    const issues = { mobile: "Enter your mobile number." };
    throw new RequestError(400, "Some fields are missing or invalid.", { issues });
  }
  const { to, retryAfterSeconds } = unwrap(
    await codes.send({
      channel,
      to: purpose === "sign_in"
        ? { purpose, number: number! }
        : { purpose, holder: requireRecent(ctx.state) },
      browserId,
      clientAddress: clientAddress(req, info, config.trustProxy),
      responded: info.completed,
    }),
  );
  const page = purpose === "sign_in" ? "/my-record/code" : "/my-record/number";
  return {
    to,
    method: channel,
    retry_after_seconds: retryAfterSeconds,
    page,
    headers: { "set-cookie": cookie },
  };
}
