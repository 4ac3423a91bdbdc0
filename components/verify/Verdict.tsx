import type { ComponentChildren } from "preact";
import type { Examination } from "./examine.ts";
import { Facts } from "./Facts.tsx";
import { MEANINGS } from "./faults.ts";
import { Seal } from "./Seal.tsx";

/** The verdict in a few words. With keys of its own, a file only agrees with itself. */
export function verdictOf({ result, keysFrom }: Examination): string {
  if (result.ok) {
    const events = result.size === 1 ? "1 event" : `${result.size} events`;
    return keysFrom === "publisher" ? `Verified: ${events}` : `Consistent in itself: ${events}`;
  }
  return result.seq === undefined ? "Not verified" : `Not verified: event ${result.seq}`;
}

/** What came of a verification: how much holds, or the first thing that does not. */
export function Verdict(
  { examination, children }: { examination: Examination; children?: ComponentChildren },
) {
  const { of, chain, result, keysFrom } = examination;
  const kind = !result.ok ? "bad" : keysFrom === "publisher" ? "good" : "fair";
  return (
    <section class={`verdict ${kind}`} aria-label="Verdict">
      <Seal kind={kind} />
      <div class="verdict-text">
        <p class="eyebrow">{of === "file" ? "Your file" : "The publisher's chain"}</p>
        <h2>{verdictOf(examination)}</h2>
        {result.ok
          ? (
            <>
              <p>{covered(result.size, result.signedSize, keysFrom)}</p>
              <Facts chain={chain!} result={result} />
            </>
          )
          : (
            <>
              <p>
                <code class="fault-code">{result.code}</code> {MEANINGS[result.code]}
              </p>
              <p class="muted">{sentence(result.message)}</p>
              <Given event={chain?.events[result.seq ?? -1]} />
            </>
          )}
        <Notes examination={examination} />
        {children}
      </div>
    </section>
  );
}

function covered(size: number, signedSize: number, keysFrom: Examination["keysFrom"]): string {
  const links = "Every hash was computed anew, from the record to the tip";
  const signature = keysFrom === "publisher" ? "the publisher's signature" : "a signature";
  return size === signedSize
    ? `${links}, and ${signature} covers all of them.`
    : `${links}. The first ${signedSize} are covered by ${signature}; the others came later, and are ` +
      "linked but not signed yet.";
}

/** The event that does not hold, as it came. */
function Given({ event }: { event: unknown }) {
  if (event === undefined) return null;
  return (
    <pre class="given" tabindex={0} role="group" aria-label="The event as it came">
      <code>{JSON.stringify(event, null, 2).slice(0, 2_000)}</code>
    </pre>
  );
}

/** What the verdict does not show, because it rests on the word of what was verified. */
function Notes(
  { examination: { chain, result, hashFrom, keysFrom } }: { examination: Examination },
) {
  if (chain === null || !result.ok) return null;
  return (
    <>
      {hashFrom === "file" && (
        <p class="note">
          The record's hash is the file's own, so this shows that its events agree with each other,
          not that they belong to a particular record. Open this page with the hash from your QR
          code or print, and check the file there.
        </p>
      )}
      {keysFrom === "file" && (
        <p class="note">
          The keys are the file's own, for this page cannot ask {chain.publisher}{" "}
          for them: whoever made the file could have made the keys as well. The command can ask.
        </p>
      )}
    </>
  );
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1) + ".";
