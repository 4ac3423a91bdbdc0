/** The table of a chain's events on the verify page, with a mark for each event that was verified. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { LinkedEvent } from "../../packages/proof/chain/mod.ts";
import { EventName } from "../EventName.tsx";
import { timestamp } from "../contact/message.ts";
import type { Examination } from "./examine.ts";

type Status = "signed" | "linked" | "bad" | "unknown";

const STATUSES: Record<Status, [mark: string, label: string]> = {
  signed: ["✓", "verified and signed"],
  linked: ["✓", "verified, not signed yet"],
  bad: ["✗", "the first bad event"],
  unknown: ["·", "not verified"],
};

export interface EventTableProps {
  caption: ComponentChildren;
  /** The events, newest first; null for a malformed one. */
  rows: { position: number; event: LinkedEvent | null; status: Status }[];
}

export function EventTable({ caption, rows }: EventTableProps) {
  return (
    <table class="table chain-events below-5">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">Verified</span>
          </th>
          <th scope="col">No.</th>
          <th scope="col">Event and time</th>
          <th scope="col">Hash</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => <Row key={row.position} {...row} />)}
      </tbody>
    </table>
  );
}

function Row({ position, event, status }: EventTableProps["rows"][number]) {
  const [mark, label] = STATUSES[status];
  const { kind, at, hash } = event ?? { kind: "malformed", at: "", hash: "" };
  return (
    <tr class={`mark-${status}`}>
      <td>
        <span class="mark" title={label} aria-hidden="true">{mark}</span>
        <span class="visually-hidden">{label}</span>
      </td>
      <td class="mono">{position}</td>
      <td>
        <div class="event-what stack">
          <EventName kind={kind} />
          {at !== "" && <time class="mono muted" datetime={at} title={at}>{timestamp(at)} UTC
          </time>}
        </div>
      </td>
      <td class="mono">
        <span class="event-hash muted">{hash}</span>
      </td>
    </tr>
  );
}

const FIRST_ROWS = 20;
const MORE_ROWS = 200;

/** The events of an examined chain, newest first, with a button that shows older ones. */
export function ExaminedEvents(
  { examination: { chain, result, eventAt } }: { examination: Examination },
) {
  const [more, setMore] = useState(0);
  const events = chain?.events ?? [];
  const count = Math.max(FIRST_ROWS, rowsToFault(result, events.length)) + more;
  const first = Math.max(0, events.length - count);
  const rows = events.slice(first).map((_, i) => {
    const position = first + i;
    return { position, event: eventAt(position), status: statusOf(position, result) };
  }).reverse();
  if (rows.length === 0) return null;
  return (
    <>
      <EventTable
        caption={first === 0 ? "All events, newest first" : `The newest ${rows.length} events`}
        rows={rows}
      />
      {first > 0 && (
        <p class="actions">
          <button type="button" class="button" onClick={() => setMore(more + MORE_ROWS)}>
            Show {Math.min(MORE_ROWS, first)} older
          </button>
        </p>
      )}
    </>
  );
}

/** Returns how many of the newest events to show so that the first bad one is visible. */
function rowsToFault(result: Examination["result"], size: number): number {
  return result.ok || result.seq === undefined ? 0 : Math.min(MORE_ROWS, size - result.seq + 3);
}

function statusOf(position: number, result: Examination["result"]): Status {
  if (result.ok) return position < result.signedSize ? "signed" : "linked";
  if (position === result.seq) return "bad";
  return result.seq !== undefined && position < result.seq ? "linked" : "unknown";
}
