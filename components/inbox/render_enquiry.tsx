/** Reads everything for the page of an enquiry and responds with it, also after a form was refused. */
import type { Context } from "fresh";
import { requireLayer } from "../../lib/features/console/http.ts";
import { enquiryPath, neighboursOf, queryOf } from "../../lib/features/inbox/paths.ts";
import { inboxResult } from "./results.ts";
import { checkHash } from "../../lib/features/records/http.ts";
import { readConsoleResult } from "../../lib/features/console/results.ts";
import { siteName } from "../../lib/features/records/charts.ts";
import { aboutContact } from "../../lib/features/contact/mod.ts";
import { CORRECTED, type Inbox, type OpenEnquiry } from "../../lib/features/inbox/mod.ts";
import { type Problem, RequestError } from "../../lib/platform/http/errors.ts";
import { readDeliveries } from "../../lib/platform/jobs/mod.ts";
import type { OrganisationKey } from "../../lib/platform/surfaces/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { renderConsole } from "../console/render_console.tsx";
import { EnquiryPage } from "./EnquiryPage.tsx";
import { shownRefusal } from "./refusal.ts";

/**
 * Renders the page of an enquiry, beside the list that the URL selects. If its record has been corrected in the
 * meantime, a GET leads to the corrected one, and a refused form is shown there.
 */
export async function renderEnquiry(
  ctx: Context<State>,
  refused?: { problem: Problem; given: unknown },
): Promise<Response> {
  const { email: reader } = requireLayer(ctx.state, "L1");
  const { services: { inbox, kv, clock, surfaces }, surface: { organisation } } = ctx.state;
  const asked = checkHash(ctx.params.hash);
  const query = queryOf(ctx.url);
  const now = clock();
  const result = refused === undefined ? await readConsoleResult(ctx.state, ctx.url) : null;
  const deliveriesOf = (record: string) => readDeliveries(kv, aboutContact(record), now);
  const reading = readCurrent(inbox, organisation, asked);
  const [enquiry, { items }, replyName, shown, deliveries] = await Promise.all([
    reading,
    inbox.list(organisation, query, reader),
    inbox.replyName(reader),
    inboxResult(inbox, { organisation, hash: asked, url: ctx.url, now }, result),
    reading.then((enquiry) => Promise.all(recordsOfReplies(enquiry).map(deliveriesOf))),
  ]);
  if (enquiry === null) throw new RequestError(404);
  const { hash, contact: { value: contact } } = enquiry.record;
  if (hash !== asked && refused === undefined) return ctx.redirect(enquiryPath(hash, query), 303);
  // Whatever else is wrong, the operator has not seen the corrected record yet.
  const change = hash === asked ? {} : { status: 409, message: CORRECTED };
  const refusal = refused && { ...refused, problem: { ...refused.problem, ...change } };
  return await renderConsole(
    ctx,
    { title: `Enquiry ${hash.slice(0, 8)}` },
    <EnquiryPage
      {...{ enquiry, query, items, reader, replyName, shown }}
      {...neighboursOf(items, hash)}
      deliveries={new Map(deliveries.flat().map((each) => [each.id, each]))}
      site={siteName(contact.site, surfaces)}
      now={new Date(now).toISOString()}
      refused={refusal && shownRefusal(refusal)}
    />,
    { status: refusal?.problem.status ?? 200 },
  );
}

/** Reads the enquiry of a record, or of the one that corrects it once the enquiry has moved there. */
async function readCurrent(
  inbox: Inbox,
  organisation: OrganisationKey,
  hash: string,
): Promise<OpenEnquiry | null> {
  const enquiry = await inbox.read(organisation, hash);
  const next = enquiry?.record.row.replaced_by ?? null;
  return next === null ? enquiry : await readCurrent(inbox, organisation, next) ?? enquiry;
}

/** Returns the records whose addresses replies were sent to: a correction may have changed the record since. */
const recordsOfReplies = (enquiry: OpenEnquiry | null): string[] => {
  const replies = enquiry?.entries.filter((entry) => entry.change === "replied") ?? [];
  return [...new Set(replies.map(({ mail }) => mail.record))];
};
