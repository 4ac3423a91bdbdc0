import type { Context } from "fresh";
import { redirectForHolder, renderCodePage } from "../../../../components/codes/CodePage.tsx";
import { verifySchema } from "../../../../lib/codes/mod.ts";
import { checkInput, isFormPost, readInput } from "../../../../lib/http/body.ts";
import { browserIdOf } from "../../../../lib/http/browser_cookie.ts";
import { clientAddress as addressOf } from "../../../../lib/http/client_address.ts";
import { endpoint } from "../../../../lib/http/endpoint.ts";
import { unwrap } from "../../../../lib/http/errors.ts";
import { readerOf, requireRecent } from "../../../../lib/records/mod.ts";
import { define, type State } from "../../../../lib/state.ts";

/** Checks a code (spec 4.7). It signs in, or confirms the number of the open record. */
export const handler = define.handlers(endpoint<State>({
  async POST(ctx) {
    const input = await readInput(ctx.req);
    if (!isFormPost(ctx.req)) {
      const headers = await verify(ctx, input);
      return ctx.json({ success: true }, { headers });
    }
    try {
      const headers = await verify(ctx, input);
      return new Response(null, { status: 303, headers: { ...headers, location: "/my-record" } });
    } catch (error) {
      const fields = input as Record<string, string>;
      return redirectForHolder(error) ?? await renderCodePage(ctx, { fields, error });
    }
  },
}));

async function verify(ctx: Context<State>, input: unknown): Promise<Record<string, string>> {
  const { req, info, state: { services: { codes, config }, surface, holder } } = ctx;
  const { code, purpose } = checkInput(verifySchema, input);
  const clientAddress = addressOf(req, info, config.trustProxy);
  const { cookie } = unwrap(
    await codes.verify({
      code,
      for: purpose === "sign_in"
        ? { purpose, surface: surface.name, previous: holder?.id ?? null }
        : { purpose, holder: requireRecent(ctx.state) },
      browserId: browserIdOf(req),
      clientAddress,
      reader: readerOf(req, clientAddress),
    }),
  );
  return cookie === null ? {} : { "set-cookie": cookie };
}
