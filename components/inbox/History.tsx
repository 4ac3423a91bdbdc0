/** The history of an enquiry in the inbox, with the delivery of each reply. */
import type { Entry } from "../../lib/features/inbox/mod.ts";
import type { DeliveryRow } from "../../lib/platform/jobs/mod.ts";
import { MAIL_FAILURES } from "../../lib/platform/mail/kinds.ts";
import { formatDateTime } from "../../lib/base/time.ts";
import { Time } from "../Time.tsx";

interface HistoryProps {
  entries: readonly Entry[];
  /** The deliveries of replies, by the mail's id. */
  deliveries: ReadonlyMap<string, DeliveryRow>;
  /** The record to whose address a reply would go now. */
  record: string;
  /** The operator who reads the page. */
  reader: string;
}

/** The entries, oldest first: notes and replies in full, the rest in a line. */
export function History({ entries, deliveries, record, reader }: HistoryProps) {
  const nameOf = (email: string | null) =>
    email === null ? "The site" : email === reader ? "You" : email;
  return (
    <ol class="plain stack gap-3 inbox-history" aria-label="History">
      {entries.map((entry) => (
        <li key={entry.id} class={entry.change}>
          <p class="wrap apart gap-0-4 flush muted text-small">
            <span class="anywhere">
              <strong class="ink bold">{nameOf(entry.by)}</strong> {lineOf(entry, reader)}
            </span>
            <Time class="digits" at={entry.at} />
          </p>
          {"text" in entry && <div class="inbox-written box pad-3-4 anywhere">{entry.text}</div>}
          {entry.change === "replied" && (
            <p class="inbox-delivery text-small muted">
              <Delivery delivery={deliveries.get(entry.mail.id)} />
              {` As ${entry.name}, ${entry.quoted ? "quoting" : "without quoting"} the enquiry.`}
              {entry.mail.record !== record && " To the address before the correction."}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

function lineOf(entry: Entry, reader: string): string {
  switch (entry.change) {
    case "taken": {
      if (entry.owner === entry.by) return "took it";
      return `gave it to ${entry.owner === reader ? "you" : entry.owner}`;
    }
    case "released":
      return "removed the owner";
    case "noted":
      return "wrote a note";
    case "replied":
      return "replied";
    case "unsent":
      return "took this reply back before it was sent";
    case "not_delivered":
      return "opened it again, because the reply could not be delivered";
    case "closed":
      return "closed it";
    case "reopened":
      return "opened it again";
  }
}

/** The delivery of a reply, which is kept for 90 days. */
function Delivery({ delivery }: { delivery: DeliveryRow | undefined }) {
  if (delivery === undefined) return <>Its delivery is no longer known.</>;
  const { state, reason, next_at } = delivery;
  const why = reason === null ? "" : MAIL_FAILURES[reason] ?? `${reason.replaceAll("_", " ")}.`;
  switch (state) {
    case "sending":
      return <span class="pill">Queued</span>;
    case "sent":
      return <span class="pill good">Sent</span>;
    case "retrying":
      return (
        <>
          <span class="pill warn">Retrying</span> {why}
          {next_at !== null && ` The next attempt is at ${formatDateTime(next_at)}.`}
        </>
      );
    case "failed":
      return (
        <>
          <span class="pill bad">Failed</span> {why} If it can be sent again,{" "}
          <a href="/console/alerts">Alerts</a> has a button for that.
        </>
      );
  }
}
