/** The search for an entry on the page of the public log, with its result. */
import { asset } from "fresh/runtime";
import {
  type findEntry,
  type FoundEntry,
  MAX_FOUND_TEXT,
} from "../../lib/features/standard/pages/mod.ts";
import { formatCount } from "../../lib/base/time.ts";
import { FindForm } from "../documents/FindForm.tsx";
import { Time } from "../Time.tsx";

/** The text in the field, and what was found. */
export interface Found {
  text: string;
  result: Awaited<ReturnType<typeof findEntry>>;
}

/** The field that finds an entry of the log, and the entry with its neighbours. */
export function LogLookUp({ found }: { found: Found | null }) {
  const result = found?.result;
  return (
    <section class="log-find box pad-4-5 below-6" id="find" aria-label="Find an entry">
      <FindForm
        method="get"
        action="/log#find"
        name="find"
        label="Find an entry"
        hint="The hash of a record or a file, or the number of an entry."
        button="Find"
        maxLength={MAX_FOUND_TEXT}
        fileLabel="Or a saved chain, or a document"
        workerUrl={asset("/workers/hash_file.js")}
        text={found?.text}
        problem={result?.ok === false ? result.message : undefined}
      />
      {result?.ok && <Entry {...result.found} />}
    </section>
  );
}

const SUBJECTS: Record<FoundEntry["of"], string> = {
  record: "It commits to the record and all of its events up to the newest.",
  document: "It commits to the newest statement about this version of the document.",
  entry: "Only somebody with the record or the document can tell whose it is.",
};

/** Where the browser checks that the entry is that of the record or file which somebody has. */
function Proof({ of, hash }: Pick<FoundEntry, "of" | "hash">) {
  if (hash === null) return null;
  if (of === "document") {
    return (
      <p>
        <a href={`/check?sha256=${hash}`}>Check the document</a>: your browser then checks the proof
        of its entry.
      </p>
    );
  }
  return (
    <p>
      <a href={`/verify?hash=${hash}`}>Verify the record</a>{" "}
      to check that it fits this entry, and to save it with the proof. From a saved chain, only the
      record’s hash was read here: <a href="/verify#saved-chain">verify the file</a>.
    </p>
  );
}

function Entry({ of, hash, index, size, by, entries }: FoundEntry) {
  return (
    <div class="log-entry above-5">
      <h2 class="below-2">Entry {formatCount(index)}</h2>
      <p>
        {by !== null && (
          <>
            Logged by <Time at={by} />, as one of {formatCount(size)} entries.{" "}
          </>
        )}
        {SUBJECTS[of]}
      </p>
      <Proof {...{ of, hash }} />
      <table class="table" role="table">
        <thead>
          <tr>
            <th scope="col">Entry</th>
            <th scope="col">Slot</th>
            <th scope="col">Commitment</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((each) => (
            <tr key={each.index} class={each.index === index ? "current" : undefined}>
              <th scope="row" data-label="Entry">
                {each.index === index
                  ? formatCount(index)
                  : <a href={`/log?find=${each.index}#find`}>{formatCount(each.index)}</a>}
              </th>
              <td class="mono text-small anywhere" data-label="Slot">{each.slot}</td>
              <td class="mono text-small anywhere" data-label="Commitment">{each.commitment}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
