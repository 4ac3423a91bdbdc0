import type { Context } from "fresh";
import { z } from "zod";
import { GrantPage, NewLinkPage } from "../../components/documents/GrantPage.tsx";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import {
  CONFIDENTIAL,
  linkSchema,
  namedIn,
  readToken,
} from "../../lib/platform/http/mailed_link.ts";
import { renderWithoutScripts } from "../../lib/platform/http/render.ts";
import { documentOf } from "../../lib/features/documents/mod.ts";
import { readerOfContext } from "../../lib/features/records/mod.ts";
import { route, type RouteProperties, type State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "A form for people.",
  noAuthority: "The token of the mailed link decides.",
};

const input = linkSchema.extend({ act: z.enum(["open", "new_link"]).default("open") });

/**
 * The link of an approved request. GET shows a button; its POST gives this browser access, or mails
 * a new link if another browser has it.
 */
export const handler = route({
  GET: async (ctx) => render(ctx, await readToken(ctx)),
  async POST(ctx) {
    const { token, act: action } = checkInput(input, await readInput(ctx.req));
    const { access } = ctx.state.services;
    if (action === "new_link") {
      await access.renewLink(token);
      return renderWithoutScripts(ctx, <NewLinkPage />, { headers: CONFIDENTIAL });
    }
    const used = await access.useLink(token, ctx.req, readerOfContext(ctx));
    return used.ok ? openDocument(used.document, used.cookie) : await render(ctx, token);
  },
});

async function render(ctx: Context<State>, token: string): Promise<Response> {
  const [request] = namedIn(ctx.url);
  const named = { request, document: documentOf(ctx.url) };
  const link = await ctx.state.services.access.readLink(token, ctx.req, named);
  if (link.ok && link.state === "here") return openDocument(link.document);
  const page = <GrantPage link={link} token={token} named={documentOf(ctx.url)} />;
  const init = { status: link.ok ? 200 : 410, headers: CONFIDENTIAL };
  return await renderWithoutScripts(ctx, page, init);
}

function openDocument(document: string, cookie?: string): Response {
  const headers = { ...CONFIDENTIAL, location: `/d/${document}` };
  const init = { status: 303, headers: cookie ? { ...headers, "set-cookie": cookie } : headers };
  return new Response(null, init);
}
