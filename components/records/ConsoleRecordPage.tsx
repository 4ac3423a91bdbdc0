/** The layout of the console's page of a record, for its administrators. */
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { ActionResult } from "../ActionResult.tsx";
import { type ComponentChildren, Fragment } from "preact";
import type { ChainPage } from "../../lib/features/chain/mod.ts";
import { CONTACT_FIELDS } from "../../lib/features/contact/fields.ts";
import type { AccessRequest } from "../../lib/features/documents/mod.ts";
import type { DeliveryRow } from "../../lib/platform/jobs/mod.ts";
import {
  type AccessEntry,
  conditionsOf,
  type NextStep,
  nextStep,
  type RecordEntry,
  type Recovery,
} from "../../lib/features/records/mod.ts";
import type { EnquiryState } from "../../lib/features/inbox/mod.ts";
import { stateOf } from "./record_columns.tsx";
import { formatDateTime } from "../../lib/base/time.ts";
import { AccessEntries } from "./AccessLog.tsx";
import { Card } from "../console_parts.tsx";
import { DeletePart, Identity, RecoveryPart, type RefusedForm } from "./ConsoleForms.tsx";
import { ChainPart, EnquiryPart, RequestsPart } from "./ConsoleSections.tsx";
import { MailPart } from "../mail_reports/MailList.tsx";
import { Time } from "../Time.tsx";

export interface RecordPageProps {
  record: RecordEntry;
  /** The name of the site that the form was sent from. */
  site: string;
  /** The full URL of the page that verifies the chain; null if it is not served here. */
  verifyUrl: string | null;
  levelsUrl: string | null;
  chain: ChainPage | null;
  /** The open recovery; null if there is none. */
  recovery: Recovery | null;
  requests: readonly AccessRequest[];
  /** The mails to the holder, newest first. */
  mails: readonly DeliveryRow[];
  /** The path of the page about the holder's address. */
  mailPath: string;
  /** The latest entries of the access log. */
  log: { entries: AccessEntry[]; cursor: string | null };
  /** The address of the administrator who reads the page. */
  operator: string;
  refused?: RefusedForm;
  /** The state of the enquiry; null if the record was registered without one. */
  enquiry: EnquiryState | null;
  /** The result of the action that led here. */
  result: ShownResult | null;
  /** The sections of other features, and how much they contain. */
  documents: ComponentChildren;
  documentCount: number;
  /** Null if there are none. */
  payments: ComponentChildren | null;
  paymentCount: number;
}

/** A link of the summary to a section: the `id` of its element, or of its heading. */
type Section = [id: string, text: string, count?: number];

/** One record, for full administrators: a summary that stays in view, and a section for each topic. */
export function RecordPage(props: RecordPageProps) {
  const { record, site, verifyUrl, levelsUrl, chain, recovery, requests, mails, log } = props;
  const { hash, row, contact: { value: contact } } = record;
  const declarations = contact.declarations ?? [];
  const { name } = contact.record;
  const contactTitle = props.enquiry === null ? "Person" : "Enquiry";
  const sections: Section[] = [
    ["contact", contactTitle],
    ["identity", "Level and identity"],
    ["documents", "Documents", props.documentCount],
    ["requests", "Access requests", requests.length],
    ["chain", "Chain", chain?.head.size],
    ...props.payments === null
      ? []
      : [["payments-title", "Payments", props.paymentCount] as Section],
    ["mail", "Mail", mails.length],
    ["declaration", "Declaration", declarations.length],
    ["recovery", "Recovery"],
    ["log", "Access log"],
    ["delete", "Deletion"],
  ];
  return (
    <>
      <h1 class="below-5">
        {name} <code class="muted">{hash.slice(0, 8)}…</code>
      </h1>
      {props.result !== null && (
        <ActionResult result={props.result} action={`/console/records/${hash}`} />
      )}
      <State row={row} />
      <div class="record-layout top block-print">
        <Summary record={record} mails={mails} sections={sections} />
        <div class="record-sections stack gap-4">
          <Card id="contact" title={contactTitle}>
            <Facts
              facts={[
                ...CONTACT_FIELDS.map(({ name, label }): [string, string] => [
                  label,
                  contact.record[name] ?? "not given",
                ]),
                ["Site", site],
                ["Registered", formatDateTime(contact.registered_at)],
                ["Email confirmed", whenOf(contact.confirmed_at)],
                ["Mobile confirmed", whenOf(row.mobile_confirmed_at)],
              ]}
            />
            <EnquiryPart hash={hash} state={props.enquiry} />
          </Card>
          <Card id="identity" title={`Level ${row.level} and identity check`}>
            <Facts
              facts={([1, 2, 3, 4] as const).map((level) => [
                `Level ${level}`,
                row.reached[level]
                  ? `reached ${formatDateTime(row.reached[level])}`
                  : "not reached",
              ])}
            />
            <p>{NEXT[nextStep(conditionsOf(record)) ?? "none"]}</p>
            <Identity row={row} refused={props.refused} />
            {levelsUrl !== null && (
              <p>
                <a href={levelsUrl}>The conditions of each level</a>
              </p>
            )}
          </Card>
          {props.documents}
          <Card id="requests" title="Access requests">
            <RequestsPart requests={requests} operator={props.operator} hash={hash} />
          </Card>
          <Card id="chain" title="Chain">
            <ChainPart chain={chain} hash={hash} verifyUrl={verifyUrl} />
          </Card>
          {props.payments}
          <Card id="mail" title="Mail">
            <MailPart mails={mails} path={props.mailPath} of="record" />
          </Card>
          <Card id="declaration" title="Declaration">
            {declarations.length === 0 && <p>The holder has not made a declaration.</p>}
            {declarations.toReversed().map(({ at, text }) => (
              <div key={at}>
                <p class="muted">
                  <Time at={at} />
                </p>
                <blockquote class="anywhere">{text}</blockquote>
              </div>
            ))}
          </Card>
          <Card id="recovery" title="Recovery">
            <RecoveryPart
              recovery={recovery}
              confirmed={contact.confirmed_at !== null}
              refused={props.refused}
            />
          </Card>
          <Card id="log" title="Access log">
            {log.entries.length === 0 ? <p>No entries yet.</p> : (
              <div class="record-log">
                <AccessEntries entries={log.entries} />
              </div>
            )}
            {log.cursor !== null && (
              <p>
                <a href={`/console/records/${hash}?log=${encodeURIComponent(log.cursor)}#log`}>
                  Older entries
                </a>
              </p>
            )}
          </Card>
          <Card id="delete" title="Deletion">
            <DeletePart hash={hash} refused={props.refused} />
          </Card>
        </div>
      </div>
    </>
  );
}

/** The state of a record at a glance, with links to the sections of its page. */
function Summary({ record: { row, contact }, mails, sections }: {
  record: RecordEntry;
  mails: readonly DeliveryRow[];
  sections: readonly Section[];
}) {
  const { record, registered_at, confirmed_at } = contact.value;
  const undelivered = mails.filter(({ state }) => state !== "sent" && state !== "sending");
  return (
    <aside class="record-summary text-medium" aria-label="Summary">
      <Level row={row} />
      <dl class="facts gap-1-4">
        <dt>Type</dt>
        <dd>{record.enquiry_type ?? "not given"}</dd>
        <dt>Registered</dt>
        <dd>
          <Time at={registered_at} day />
        </dd>
        <dt>Email</dt>
        <dd>{confirmed_at === null ? "not confirmed" : "confirmed"}</dd>
        <dt>Mobile</dt>
        <dd>{row.mobile_confirmed_at === null ? "not confirmed" : "confirmed"}</dd>
        <dt>Passkeys</dt>
        <dd>{row.passkeys}</dd>
        {undelivered.length > 0 && (
          <>
            <dt>Mail</dt>
            <dd class="bad-text">{undelivered.length} not delivered</dd>
          </>
        )}
      </dl>
      <nav aria-label="Sections">
        <ul class="plain pad-top-3 lined">
          {sections.map(([id, text, count]) => (
            <li key={id}>
              <a href={`#${id}`}>
                {text}
                {count !== undefined && count > 0 && <span class="count digits">{count}</span>}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </aside>
  );
}

const NEXT: Record<NextStep | "none", string> = {
  declare: "Next, the holder declares what the record is for.",
  confirm_email: "Next, the holder confirms the email address.",
  second_factor: "Next, the holder adds a passkey or confirms a mobile number.",
  identity_check: "Next, an administrator checks the holder’s identity.",
  none: "Every condition is met.",
};

/** The level as a figure and as steps, with the state of a record that is not in force. */
function Level({ row }: { row: RecordEntry["row"] }) {
  const state = stateOf(row);
  return (
    <div class="record-level">
      <p class="cluster apart gap-2 below-2">
        <strong class="text-large">Level {row.level}</strong>{" "}
        {state !== null && <span class="pill">{state}</span>}
      </p>
      <svg
        class="full-width below-4"
        viewBox="0 0 100 6"
        height="6"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {/* Four steps with gaps of 2 fill the width of 100. */}
        {[1, 2, 3, 4].map((level) => (
          <rect
            key={level}
            class={level <= row.level ? "reached" : undefined}
            x={(level - 1) * 25.5}
            width="23.500"
            height="6"
            rx="1"
          />
        ))}
      </svg>
    </div>
  );
}

function State({ row }: { row: RecordEntry["row"] }) {
  return (
    <>
      {row.replaced_by !== null && (
        <p class="lead">
          This record was replaced by{" "}
          <a href={`/console/records/${row.replaced_by}`}>
            <code>{row.replaced_by.slice(0, 8)}…</code>
          </a>
          , which corrects it.
        </p>
      )}
      {row.replaces !== null && (
        <p>
          It corrects{" "}
          <a href={`/console/records/${row.replaces}`}>
            <code>{row.replaces.slice(0, 8)}…</code>
          </a>
          .
        </p>
      )}
      {row.deletion_at && (
        <p class="lead">
          It is closed, and will be deleted on <Time at={row.deletion_at} />.
        </p>
      )}
    </>
  );
}

const whenOf = (at: string | null) => at === null ? "no" : formatDateTime(at);

const Facts = ({ facts }: { facts: [name: string, value: string][] }) => (
  <dl class="facts even">
    {facts.map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
);
