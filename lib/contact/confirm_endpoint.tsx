import type { Context } from "fresh";
import { z } from "zod";
import { ConfirmPage } from "../../components/contact/ConfirmPage.tsx";
import { checkInput, readInput } from "../http/body.ts";
import { endpoint, type EndpointHandler } from "../http/endpoint.ts";
import { RequestError } from "../http/errors.ts";
import type { State } from "../state.ts";
import type { ConfirmationState } from "./confirm.ts";

/** A token stands in the address: it is neither kept nor handed on. */
const CAREFUL = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

const STATUS: Record<ConfirmationState["state"], number> = {
  unknown: 404,
  expired: 410,
  open: 200,
  already: 200,
  confirmed: 200,
};

const input = z.object({ token: z.string("Open the link from the mail.") });

/**
 * `/confirm` (design, section 4): GET says what the link is for and shows a button, whose POST
 * confirms. What only looks at links, such as a mail scanner, so changes nothing.
 */
export const confirmEndpoint: EndpointHandler<State> = endpoint({
  async GET(ctx) {
    const token = ctx.url.searchParams.get("token");
    if (token === null) throw new RequestError(400, "Open the link from the mail, in full.");
    return await show(ctx, token, await ctx.state.services.contact.lookUp(token));
  },
  async POST(ctx) {
    const { token } = checkInput(input, await readInput(ctx.req));
    return await show(ctx, token, await ctx.state.services.contact.confirm(token));
  },
});

function show(ctx: Context<State>, token: string, found: ConfirmationState): Promise<Response> {
  ctx.state.scripts = false;
  const { baseUrl } = ctx.state.surface;
  const page = (
    <ConfirmPage
      found={found}
      token={token}
      verifyUrl={(hash) => `${baseUrl}/verify?hash=${hash}`}
      asked={ctx.req.method === "POST"}
    />
  );
  return ctx.render(page, { status: STATUS[found.state], headers: CAREFUL });
}
