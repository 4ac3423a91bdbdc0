import { useState } from "preact/hooks";
import type { Examination } from "./examine.ts";
import { EventTable, type Mark } from "./EventTable.tsx";

const FIRST = 20;
const MORE = 200;

/** All events of a chain that was examined, newest first, a part at a time. */
export function ChainEvents({ examination: { chain, result } }: { examination: Examination }) {
  const [more, setMore] = useState(0);
  const events = chain?.events ?? [];
  const shown = Math.max(FIRST, downTo(result, events.length)) + more;
  const rows = events.slice(-shown).map((event, i) => {
    const place = Math.max(0, events.length - shown) + i;
    return { place, event, mark: markOf(place, result) };
  }).reverse();
  if (rows.length === 0) return null;
  const hidden = events.length - rows.length;
  return (
    <>
      <EventTable
        caption={hidden === 0 ? "All events, newest first" : `The newest ${rows.length} events`}
        rows={rows}
      />
      {hidden > 0 && (
        <p class="actions">
          <button type="button" class="button" onClick={() => setMore(more + MORE)}>
            Show {Math.min(MORE, hidden)} older
          </button>
        </p>
      )}
    </>
  );
}

/** How many of the newest to show for the first bad event to be among them, within reason. */
function downTo(result: Examination["result"], size: number): number {
  return result.ok || result.seq === undefined ? 0 : Math.min(MORE, size - result.seq + 3);
}

/** What is known of the event at a place: up to the first fault, that it is linked. */
function markOf(place: number, result: Examination["result"]): Mark {
  if (result.ok) return place < result.signedSize ? "signed" : "linked";
  if (place === result.seq) return "bad";
  return result.seq !== undefined && place < result.seq ? "linked" : "unknown";
}
