/** The console's page about one enquiry, which puts the list, history and forms together. */
import { Fragment } from "preact";
import { CONTACT_FIELDS } from "../../lib/features/contact/fields.ts";
import { enquiryPath, type Neighbours } from "../../lib/features/inbox/paths.ts";
import type { InboxResult } from "./results.ts";
import {
  type InboxItem,
  inboxList,
  type InboxQuery,
  type OpenEnquiry,
  STATES,
  VIEWS,
} from "../../lib/features/inbox/mod.ts";
import type { DeliveryRow } from "../../lib/platform/jobs/mod.ts";
import { ActionResult } from "../ActionResult.tsx";
import { StateNote } from "../StateNote.tsx";
import { Time } from "../Time.tsx";
import { NoteForm, ReplyForm, StateForms } from "./EnquiryForms.tsx";
import { EnquiryList } from "./EnquiryList.tsx";
import { History } from "./History.tsx";
import { InboxKeys } from "./InboxKeys.tsx";
import type { ShownRefusal } from "./refusal.ts";

export interface EnquiryPageProps extends Neighbours {
  enquiry: OpenEnquiry;
  /** Selects the list beside it. */
  query: InboxQuery;
  items: readonly InboxItem[];
  deliveries: ReadonlyMap<string, DeliveryRow>;
  /** The name of the site that the form was sent from. */
  site: string;
  /** The address of the operator who reads the page. */
  reader: string;
  /** The name under which the reader replies; null if it is not known yet. */
  replyName: string | null;
  refused?: ShownRefusal;
  /** The result of the action that led here. */
  shown: InboxResult | null;
  now: string;
}

/** One enquiry beside its list: what was written, what was done, and the reply. */
export function EnquiryPage(props: EnquiryPageProps) {
  const { enquiry, query, items, reader, refused, shown, now } = props;
  const { record: { contact: { value: { record } }, hash }, row } = enquiry;
  return (
    <div class="inbox-split" data-enquiry>
      <nav class="inbox-pane" aria-label={`Enquiries: ${VIEWS[query.state]}`}>
        <p class="middle apart flex">
          <a href={inboxList.href(query, { after: query.after })}>← {VIEWS[query.state]}</a>
        </p>
        <EnquiryList {...{ items, query, reader, now }} current={hash} />
      </nav>
      <div class="inbox-enquiry stack gap-4 shrinks">
        {shown !== null && <ActionResult {...shown} />}
        {refused !== undefined && <StateNote kind="error" title={refused.message} />}
        <header class="wrap apart middle gap-2">
          <h1 class="flush">
            {record.name} <span class={pillOf(row.state)}>{STATES[row.state]}</span>
          </h1>
          <Steps {...props} />
        </header>
        <StateForms {...{ enquiry, query, reader, refused }} />
        <Written {...props} />
        <History
          entries={enquiry.entries}
          deliveries={props.deliveries}
          record={hash}
          reader={reader}
        />
        <ReplyForm {...{ enquiry, query, refused, reader }} replyName={props.replyName} />
        <NoteForm {...{ enquiry, query, refused }} />
        <InboxKeys draft={hash} />
      </div>
    </div>
  );
}

const pillOf = (state: string) => state === "new" ? "pill warn" : "pill";

/** Links to the enquiries before and after this one. */
const Steps = ({ previous, next, query }: EnquiryPageProps) => (
  <nav class="cluster gap-2" aria-label="Neighbours">
    {([["previous", "↑ Previous", previous], ["next", "↓ Next", next]] as const).map((
      [where, text, item],
    ) =>
      item !== null && (
        <a
          key={where}
          class="button small"
          rel={where === "next" ? "next" : "prev"}
          href={enquiryPath(item.hash, query)}
          aria-current="false"
          data-neighbour={where}
        >
          {text}
        </a>
      )
    )}
  </nav>
);

/** The person's message, and the facts known about them. */
function Written({ enquiry, site }: EnquiryPageProps) {
  const { record: { contact: { value }, row: { level, deletion_at }, hash } } = enquiry;
  const { record, confirmed_at } = value;
  const given = FIELDS.filter(({ name }) => record[name] !== undefined);
  const texts = given.filter(({ kind }) => kind === "text");
  return (
    <section class="card inbox-written-card" aria-labelledby="enquiry-title">
      <h2 id="enquiry-title" class="visually-hidden">Enquiry</h2>
      <dl class="facts even">
        {given.filter(({ kind }) => kind !== "text").map(({ name, label, kind }) => (
          <Fragment key={name}>
            <dt>{label}</dt>
            <dd class="anywhere">
              {record[name]}
              {kind === "email" && (
                <>
                  {" "}
                  {confirmed_at === null
                    ? <span class="pill warn">Not confirmed</span>
                    : <span class="pill good">Confirmed</span>}
                </>
              )}
            </dd>
          </Fragment>
        ))}
        <dt>Sent</dt>
        <dd>
          <Time at={enquiry.row.at} />
        </dd>
        <dt>Site</dt>
        <dd>{site}</dd>
        <dt>Record</dt>
        <dd>
          <a href={`/console/records/${hash}`}>
            Level {level}, <code>{hash.slice(0, 8)}…</code>
          </a>
          {deletion_at && (
            <>
              {" "}
              <span class="pill bad">Being deleted</span>
            </>
          )}
        </dd>
      </dl>
      {texts.length === 0 && <p class="muted flush">No message.</p>}
      {texts.map(({ name }) => (
        <blockquote key={name} class="inbox-message flush pad-top-4 ruled anywhere">
          {record[name]}
        </blockquote>
      ))}
    </section>
  );
}

/** The name is the title of the page. */
const FIELDS = CONTACT_FIELDS.filter(({ name }) => name !== "name");
