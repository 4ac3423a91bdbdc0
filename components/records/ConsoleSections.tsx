/** Sections of the console's page of a record: enquiry, chain and requests for access. */
import type { ChainPage } from "../../lib/features/chain/mod.ts";
import type { AccessRequest } from "../../lib/features/documents/mod.ts";
import {
  type EnquiryState,
  isWaiting,
  STATES as ENQUIRY_STATES,
} from "../../lib/features/inbox/mod.ts";
import { plural } from "../../lib/base/time.ts";
import { AccessRequestItem } from "../documents/AccessRequests.tsx";
import { HashRows } from "../Groups.tsx";
import { EventName } from "../EventName.tsx";
import { timestamp } from "../contact/message.ts";
import { Time } from "../Time.tsx";

/** Leads to the enquiry of a record, which somebody who has only accepted a document has not sent. */
export const EnquiryPart = ({ hash, state }: { hash: string; state: EnquiryState | null }) => (
  <p>
    {state === null ? "No enquiry belongs to this record." : (
      <>
        <span class="pill">{ENQUIRY_STATES[state]}</span>{" "}
        <a href={`/console/inbox/${hash}`}>
          {isWaiting(state) ? "Answer it in the inbox" : "Read it in the inbox"}
        </a>
      </>
    )}
  </p>
);

/** The head of a record's chain and its latest events. */
export function ChainPart({ chain, hash, verifyUrl }: {
  chain: ChainPage | null;
  hash: string;
  /** The full URL of the page that verifies the chain; null if it is not served here. */
  verifyUrl: string | null;
}) {
  return (
    <>
      <dl class="facts even">
        <dt>Record hash</dt>
        <dd>
          <HashRows hash={hash} />
        </dd>
        {chain !== null && (
          <>
            <dt>Events</dt>
            <dd>{chain.head.size}</dd>
            <dt>Signed</dt>
            <dd>
              <Time at={chain.head.at} />, with the key <code>{chain.head.kid.slice(0, 8)}…</code>
            </dd>
          </>
        )}
      </dl>
      {chain === null
        ? <p>No chain is stored for this record.</p>
        : (
          <ol class="record-rows" reversed>
            {chain.events.toReversed().map(({ seq, kind, at }) => (
              <li class="stack baseline gap-0-4 ruled anywhere" key={seq}>
                <EventName kind={kind} />
                <time class="muted text-small digits" datetime={at}>{timestamp(at)} UTC</time>
              </li>
            ))}
          </ol>
        )}
      {verifyUrl !== null && (
        <p>
          <a href={verifyUrl}>
            {chain !== null && chain.head.size > chain.events.length
              ? `Verify the chain and see all ${chain.head.size} events`
              : "Verify the chain"}
          </a>
        </p>
      )}
    </>
  );
}

const MOST_SHOWN = 10;

/** The requests for access to a record's documents. Those that wait for a decision come first. */
export function RequestsPart({ requests, operator, hash }: {
  requests: readonly AccessRequest[];
  /** The address of the administrator who reads the page. */
  operator: string;
  hash: string;
}) {
  const isOpen = ({ state }: AccessRequest) => state === "open";
  const sorted = [...requests.filter(isOpen), ...requests.filter((request) => !isOpen(request))];
  if (sorted.length === 0) return <p>Nobody has asked for access to a document.</p>;
  return (
    <>
      {sorted.slice(0, MOST_SHOWN).map((request) => (
        <AccessRequestItem
          key={request.id}
          request={request}
          action="/console/alerts"
          you={operator}
          documentPath={`/console/records/${hash}/documents/${request.document}`}
          heading="h3"
        />
      ))}
      {sorted.length > MOST_SHOWN && (
        <p class="muted">{plural(sorted.length - MOST_SHOWN, "older request")} not shown.</p>
      )}
    </>
  );
}
