import type { Context } from "fresh";
import { z } from "zod";
import { GrantPage, NewLinkPage } from "../../components/documents/GrantPage.tsx";
import { checkInput, readInput } from "../../lib/http/body.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readerOfContext } from "../../lib/records/mod.ts";
import { define, type State } from "../../lib/state.ts";

const input = z.object({
  token: z.string("Open the complete link from the mail.").max(200),
  act: z.enum(["open", "new_link"]).default("open"),
});
/** The URL contains a secret, which must not reach caches or other pages. */
const HEADERS = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/**
 * The link of an approved request. GET shows a button; its POST gives this browser access, or mails
 * a new link if another browser has it.
 */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => {
    const { token } = checkInput(input, Object.fromEntries(ctx.url.searchParams));
    return render(ctx, token);
  },
  async POST(ctx) {
    const { token, act } = checkInput(input, await readInput(ctx.req));
    const { access } = ctx.state.services;
    if (act === "new_link") {
      ctx.state.scripts = false;
      await access.renewLink(token);
      return await ctx.render(<NewLinkPage />, { headers: HEADERS });
    }
    const used = await access.useLink(token, ctx.req, readerOfContext(ctx));
    if (!used.ok) return await render(ctx, token);
    const headers = { ...HEADERS, location: `/d/${used.document}`, "set-cookie": used.cookie };
    return new Response(null, { status: 303, headers });
  },
}));

async function render(ctx: Context<State>, token: string): Promise<Response> {
  const link = await ctx.state.services.access.readLink(token, ctx.req);
  if (link.ok && link.state === "here") {
    const headers = { ...HEADERS, location: `/d/${link.document}` };
    return new Response(null, { status: 303, headers });
  }
  ctx.state.scripts = false;
  const status = link.ok ? 200 : 410;
  return await ctx.render(<GrantPage link={link} token={token} />, { status, headers: HEADERS });
}
