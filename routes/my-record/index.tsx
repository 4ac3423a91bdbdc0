/** The first page of "My record", before and after the sign-in. */
import type { Context } from "fresh";
import { askedNote } from "../../components/auth/asked_note.ts";
import { describeRecords } from "../../components/records/describe_records.ts";
import { ChoosePage } from "../../components/records/ChoosePage.tsx";
import { ClosedRecordPage } from "../../components/records/DeletePage.tsx";
import { renderRecordPage } from "../../components/records/RecordPage.tsx";
import { SignInPage } from "../../components/records/SignInPage.tsx";
import { maskEmail } from "../../lib/features/contact/mod.ts";
import { withCookies } from "../../lib/platform/http/cookies.ts";
import { RequestError } from "../../lib/platform/http/errors.ts";
import {
  clearedReturnCookie,
  isRecent,
  type RecordEntry,
  returnCookie,
  returnOf,
} from "../../lib/features/records/mod.ts";
import { route, type State } from "../../lib/app/state.ts";

const headers = { "cache-control": "no-store" };

/**
 * "My record →": the sign-in page, the choice between several records, or the holder's record. A sign-in that
 * another page began returns there. Other surfaces redirect to the trust surface.
 */
export const handler = route({
  async GET(ctx) {
    const { url: { searchParams: query }, state } = ctx;
    const { holder, services, surface } = state;
    if (!surface.holders) return redirectToTrust(ctx);
    const next = returnOf(ctx.req);
    const leaves = query.has("sign-in");
    const again = query.get("again");
    // Only a new session returns to what needs one.
    const returns = holder !== null && (next === "/accept" || isRecent(holder, services.clock()));
    if (next !== null && returns && !leaves && again === null) {
      return withCookies(ctx.redirect(next, 303), [clearedReturnCookie()]);
    }
    const choices = holder === null ? [] : await services.records.choicesOf(holder);
    const open = choices.find(({ hash }) => hash === holder?.record);
    if (choices.length === 0 || again !== null || leaves) {
      const ways = again !== null && open ? await waysOf(ctx.state, open) : undefined;
      const asked = await askedNote(ctx.req, services.records.links.asked);
      const note = asked ?? (next === "/accept" && again === null ? RETURNS : undefined);
      const view = { phase: "ask" as const, email: "", again: ways, note };
      const shown = await ctx.render(<SignInPage state={state} view={view} />, { headers });
      return ways === undefined ? shown : withCookies(shown, [returnCookie(again!)]);
    }
    if (open === undefined || choices.length > 1 && query.has("choose")) {
      const records = await describeRecords(state, choices);
      return ctx.render(<ChoosePage {...{ state, records }} />, { headers });
    }
    const at = open.row.deletion_at;
    if (!at) return await renderRecordPage(ctx, open, { headers, choices });
    const recent = isRecent(holder!, services.clock());
    return ctx.render(<ClosedRecordPage at={at} recent={recent} />, { headers });
  },
});

const RETURNS =
  "Sign in to your record, and this browser returns to the document that was issued to you. " +
  "If you open the link in another browser, open the email about the document there again.";

/** Returns how the holder of a record can sign in again. */
async function waysOf({ services, surface }: State, record: RecordEntry) {
  const [{ passkeys }, number] = await Promise.all([
    services.records.passkeys.list(record, surface),
    services.codes.numberOf(record),
  ]);
  return {
    address: maskEmail(record.contact.value.record.email),
    passkey: passkeys.length > 0,
    number: number.state === "confirmed",
  };
}

function redirectToTrust(ctx: Context<State>): Response {
  const url = ctx.state.services.surfaces.url("trust", "/my-record");
  if (url === null) throw new RequestError(404, "Records cannot be opened here.");
  return ctx.redirect(url);
}
