/** The console's page about mail that failed, and about what happened to the mail for an address. */
import type { Context } from "fresh";
import { MailPage } from "../../components/mail_reports/MailPage.tsx";
import { renderConsole } from "../../components/console/render_console.tsx";
import { requireLayer, requirePasskey } from "../../lib/features/console/http.ts";
import {
  addressIn,
  countRefused,
  MAIL_PATH,
  mailInput,
  mailPathOf,
  readFailedMails,
  readMailsTo,
  restoreAddress,
  restoreRefused,
} from "../../lib/features/mail_reports/mail.ts";
import {
  readConsoleResult,
  shownResult,
  withConsoleResult,
} from "../../lib/features/console/results.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../lib/platform/http/form_post.ts";
import { fingerprintsOf } from "../../lib/platform/mail/mod.ts";
import { route, type RouteProperties, type State } from "../../lib/app/state.ts";

// The search works while the site is read-only, and the store refuses everything else.
export const properties: RouteProperties = { onlyReads: true };

/**
 * Where the mail to an address is, for full administrators, who can say that an address works again. The search is
 * a POST, so that the address is in no URL.
 */
export const handler = route({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { state, req } = ctx;
    const { email: by } = requireLayer(state, "L1");
    const { services, surface: { organisation } } = state;
    const given = await readInput(req);
    return await orShowForm(req, async () => {
      const input = checkInput(mailInput, given);
      if (input.act === "find") {
        const address = await fingerprintsOf(services.secrets, input.email);
        return await render(ctx, { address, search: { email: input.email } });
      }
      requirePasskey(state);
      if (input.act === "works") {
        unwrap(await restoreAddress(services, input.address, { by, organisation }));
        const path = mailPathOf(input.address);
        return formDone(req, await withConsoleResult(state, path, "address_works", ""));
      }
      const count = await restoreRefused(services, { by, organisation });
      return formDone(
        req,
        await withConsoleResult(state, MAIL_PATH, "addresses_work", String(count)),
      );
    }, ({ status, message, issues }) => {
      const { email = "" } = given as { email?: string };
      return render(ctx, {
        address: null,
        search: { email: String(email).slice(0, 300), problem: issues?.email ?? message },
        status,
      });
    });
  },
});

async function render(
  ctx: Context<State>,
  { address = addressIn(ctx.url.searchParams), search, status = 200 }: {
    address?: readonly string[] | null;
    search?: { email: string; problem?: string };
    status?: number;
  } = {},
): Promise<Response> {
  requireLayer(ctx.state, "L1");
  const { services, surface: { organisation } } = ctx.state;
  const [found, failed, refused] = address === null
    ? await Promise.all([null, readFailedMails(services, organisation), countRefused(services)])
    : [await readMailsTo(services, organisation, address), [], 0];
  const asked = await readConsoleResult(ctx.state, ctx.url);
  const result = shownResult(asked, { name: asked?.of });
  return await renderConsole(
    ctx,
    { title: "Mail" },
    <MailPage {...{ found, failed, refused, result, search }} />,
    { status },
  );
}
