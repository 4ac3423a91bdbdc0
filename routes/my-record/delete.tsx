/** The form in which holders delete their record, after a time in which they can cancel. */
import type { Context } from "fresh";
import { z } from "zod";
import { DeletePage, DeletionScheduledPage } from "../../components/records/DeletePage.tsx";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { withCookies } from "../../lib/platform/http/cookies.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { renderWithoutScripts } from "../../lib/platform/http/render.ts";
import {
  clearedRecordCookie,
  isConfirmed,
  readerOfContext,
  requireOpenRecord,
  requireRecent,
  requireRecentSession,
  WRONG_DIGITS,
} from "../../lib/features/records/mod.ts";
import { route, type State } from "../../lib/app/state.ts";

const input = z.object({
  act: z.enum(["delete", "cancel"]).default("delete"),
  digits: z.string().max(20).default(""),
});

/** Schedules the deletion of the holder's record, or cancels it. */
export const handler = route({
  GET: (ctx) => renderForm(ctx),
  async POST(ctx) {
    const { deletion } = ctx.state.services.records;
    const { act: action, digits } = checkInput(input, await readInput(ctx.req));
    if (action === "cancel") {
      const { record } = requireRecentSession(ctx.state);
      unwrap(await deletion.cancel(record, readerOfContext(ctx)));
      return ctx.redirect("/my-record", 303);
    }
    requireRecent(ctx.state);
    const { record } = requireOpenRecord(ctx.state);
    if (!isConfirmed(record.hash, digits)) return await renderForm(ctx, WRONG_DIGITS);
    const { at } = unwrap(await deletion.request(record.hash, readerOfContext(ctx)));
    const page = <DeletionScheduledPage at={at} record={record} />;
    return withCookies(await renderWithoutScripts(ctx, page), [clearedRecordCookie()]);
  },
});

async function renderForm(ctx: Context<State>, problem?: string) {
  const { services, surface } = ctx.state;
  const { record, recent } = requireOpenRecord(ctx.state);
  const [documents, requests, { passkeys }, apps] = await Promise.all([
    services.documents.list(record.hash),
    services.access.list(record.hash),
    services.records.passkeys.list(record, surface),
    services.oauth.agents.list(record.hash),
  ]);
  const counts = {
    "Documents": documents.length,
    "Your request": requests.length,
    "Passkeys": passkeys.length,
    "Connections": apps.length,
  };
  const { erases } = services.records.deletion;
  const page = <DeletePage {...{ record, recent, erases, counts, documents, problem }} />;
  return await renderWithoutScripts(ctx, page, { status: problem === undefined ? 200 : 400 });
}
