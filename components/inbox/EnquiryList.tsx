/** The list of enquiries in a console's inbox, alone or beside an open enquiry. */
import { enquiryPathsOf } from "../../lib/features/inbox/paths.ts";
import { type InboxItem, type InboxQuery, STATES } from "../../lib/features/inbox/mod.ts";
import { Ago } from "../Ago.tsx";

interface EnquiryListProps {
  items: readonly InboxItem[];
  query: InboxQuery;
  /** The operators who can own an enquiry. */
  owners?: readonly string[];
  /** The operator who reads the page. */
  reader: string;
  /** The hash of the enquiry that is open beside the list. */
  current?: string;
  /** The server's time, ISO 8601. */
  now: string;
}

/** Enquiries with the beginning of their messages. */
export function EnquiryList({ items, query, owners, reader, current, now }: EnquiryListProps) {
  const pathOf = enquiryPathsOf(query);
  return (
    <ol class="plain inbox-list box">
      {items.map((item) => {
        const { hash, contact: { record, confirmed_at }, row, deleted } = item;
        const owner = row.owner !== null && (owners?.includes(row.owner) ?? true)
          ? row.owner
          : null;
        return (
          <li key={hash} class={`inbox-item ${row.state}`}>
            <a
              class="stack middle gap-0-4 ink"
              href={pathOf(hash)}
              aria-current={hash === current ? "true" : "false"}
              data-inbox-link
            >
              <span class="inbox-name cut">
                <strong>{record.name}</strong>
                {record.organisation !== undefined && (
                  <span class="muted">{record.organisation}</span>
                )}
              </span>
              <span class="inbox-text cut muted">
                {record.enquiry_type !== undefined && <span>{record.enquiry_type}</span>}
                {record.message?.slice(0, 160) ?? "No message"}
              </span>
              <span class="inbox-marks cluster gap-2 text-small">
                <span class={`pill ${row.state === "new" ? "warn" : ""}`.trim()}>
                  {STATES[row.state]}
                </span>
                {confirmed_at === null && <span class="muted">unconfirmed</span>}
                {deleted && <span class="muted">being deleted</span>}
                {owner !== null && (
                  <span class="muted address cut">{owner === reader ? "you" : owner}</span>
                )}
              </span>
              <small class="muted digits">
                <Ago time={row.at} now={now} />
              </small>
            </a>
          </li>
        );
      })}
    </ol>
  );
}
