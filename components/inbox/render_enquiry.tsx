/** Reads everything for the page of an enquiry and responds with it, also after a form was refused. */
import type { Context } from "fresh";
import { requireLayer } from "../../lib/features/console/http.ts";
import { enquiryPath, neighboursOf, queryOf } from "../../lib/features/inbox/paths.ts";
import { inboxResult } from "./results.ts";
import { checkHash } from "../../lib/features/records/http.ts";
import { readConsoleResult } from "../../lib/features/console/results.ts";
import { siteName } from "../../lib/features/records/charts.ts";
import { aboutContact } from "../../lib/features/contact/mod.ts";
import type { OpenEnquiry } from "../../lib/features/inbox/mod.ts";
import { type Problem, RequestError } from "../../lib/platform/http/errors.ts";
import { readDeliveries } from "../../lib/platform/jobs/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { renderConsole } from "../console/render_console.tsx";
import { EnquiryPage } from "./EnquiryPage.tsx";
import { shownRefusal } from "./refusal.ts";

/**
 * Renders the page of an enquiry, beside the list that the URL selects. If its record was corrected in the meantime, a
 * refused form is shown on the page of the corrected one.
 */
export async function renderEnquiry(
  ctx: Context<State>,
  refused?: { problem: Problem; given: unknown },
  hash: string = checkHash(ctx.params.hash),
): Promise<Response> {
  const { email: reader } = requireLayer(ctx.state, "L1");
  const { services: { inbox, kv, clock, surfaces }, surface: { organisation } } = ctx.state;
  const query = queryOf(ctx.url);
  const now = clock();
  const asked = refused === undefined ? await readConsoleResult(ctx.state, ctx.url) : null;
  const deliveriesOf = (record: string) => readDeliveries(kv, aboutContact(record), now);
  const reading = inbox.read(organisation, hash);
  const [enquiry, { items }, replyName, shown, deliveries] = await Promise.all([
    reading,
    inbox.list(organisation, query, reader),
    inbox.replyName(reader),
    inboxResult(inbox, { organisation, hash, url: ctx.url, now }, asked),
    reading.then((enquiry) => Promise.all(recordsOfReplies(enquiry).map(deliveriesOf))),
  ]);
  if (enquiry === null) throw new RequestError(404);
  const { replaced_by } = enquiry.record.row;
  if (replaced_by !== null) {
    return refused === undefined
      ? ctx.redirect(enquiryPath(replaced_by, query), 303)
      : await renderEnquiry(ctx, refused, replaced_by);
  }
  const { record: { contact: { value: contact } } } = enquiry;
  return await renderConsole(
    ctx,
    { title: `Enquiry ${hash.slice(0, 8)}` },
    <EnquiryPage
      {...{ enquiry, query, items, reader, replyName, shown }}
      {...neighboursOf(items, hash)}
      deliveries={new Map(deliveries.flat().map((each) => [each.id, each]))}
      site={siteName(contact.site, surfaces)}
      now={new Date(now).toISOString()}
      refused={refused === undefined ? undefined : shownRefusal(refused)}
    />,
    { status: refused?.problem.status ?? 200 },
  );
}

/** Returns the records whose addresses replies were sent to: a correction may have changed the record since. */
const recordsOfReplies = (enquiry: OpenEnquiry | null): string[] => {
  const replies = enquiry?.entries.filter((entry) => entry.change === "replied") ?? [];
  return [...new Set(replies.map(({ mail }) => mail.record))];
};
