import type { Context } from "fresh";
import { z } from "zod";
import { ConfirmPage } from "../components/contact/ConfirmPage.tsx";
import { type Confirmation, ownerOf } from "../lib/contact/mod.ts";
import { checkInput, readInput } from "../lib/http/body.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import { linkUseOf } from "../lib/records/mod.ts";
import { define, type State } from "../lib/state.ts";

const input = z.object({ token: z.string("Open the complete link from the mail.") });
const STATUSES = { not_found: 404, expired: 410 };
/** The URL contains a secret, which must not reach caches or other pages. */
const HEADERS = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/**
 * The link of the confirmation mail. GET shows a button and changes nothing,
 * because mail scanners open links too; the button's POST confirms the address and signs in.
 */
export const handler = define.handlers(endpoint<State>({
  async GET(ctx) {
    const { token } = checkInput(input, Object.fromEntries(ctx.url.searchParams));
    return render(ctx, token, await ctx.state.services.contact.readConfirmation(token));
  },
  async POST(ctx) {
    const { token } = checkInput(input, await readInput(ctx.req));
    const { records } = ctx.state.services;
    const { confirmation, cookies } = await records.confirmEmail(token, linkUseOf(ctx));
    const response = await render(ctx, token, confirmation);
    for (const cookie of cookies) response.headers.append("set-cookie", cookie);
    return response;
  },
}));

async function render(ctx: Context<State>, token: string, confirmation: Confirmation) {
  ctx.state.scripts = false;
  const { services, surface } = ctx.state;
  const { baseUrl } = surface;
  const organisation = confirmation.ok ? ownerOf(confirmation.contact) : surface.organisation;
  ctx.state.surface = { ...surface, organisation };
  const record = confirmation.ok ? await services.records.read(confirmation.hash) : null;
  const page = (
    <ConfirmPage
      corrects={record !== null && record.row.replaces !== null}
      confirmation={confirmation}
      organisation={services.config.organisations[organisation].name}
      token={token}
      verifyUrl={(hash) => `${baseUrl}/verify?hash=${hash}`}
    />
  );
  const status = confirmation.ok ? 200 : STATUSES[confirmation.error];
  return await ctx.render(page, { status, headers: HEADERS });
}
