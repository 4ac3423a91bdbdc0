import type { State } from "../../lib/app/state.ts";
import { type DescribedRecord, RecordDescription } from "./RecordDescription.tsx";

/** Records to open, each as a button. */
export const RecordChoices = (
  { records, state, request }: {
    records: readonly DescribedRecord[];
    state: State;
    /** The token of the app's request that the record is chosen for. */
    request?: string;
  },
) => (
  <ul class="record-choices stack gap-3">
    {records.map((described) => (
      <li key={described.record.hash}>
        <form method="post" action="/my-record/choose">
          <input type="hidden" name="record" value={described.record.hash} />
          {request !== undefined && <input type="hidden" name="request" value={request} />}
          <button class="box stack middle gap-3 full-width pad-4-5 ink" type="submit">
            <RecordDescription {...described} state={state} />
            <span class="arrow accent" aria-hidden="true">→</span>
          </button>
        </form>
      </li>
    ))}
  </ul>
);
