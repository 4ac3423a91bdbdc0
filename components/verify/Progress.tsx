import { Seal } from "./Seal.tsx";

/**
 * How far the reading is.
 *
 * @param progress undefined while nothing is at work, as on a page without scripts
 */
export function Progress({ progress }: { progress?: { have: number; of: number } }) {
  return (
    <section class="verdict open" aria-label="Verdict">
      <Seal kind="open" />
      <div class="verdict-text">
        <p class="eyebrow">The publisher's chain</p>
        <h2>{progress ? "Verifying…" : "Not verified yet"}</h2>
        <p>
          The verification is done by your browser: it reads the chain back to event 0, computes
          every hash anew, and checks the publisher's signature.
        </p>
        {progress && (
          <progress
            aria-label="Events read"
            max={progress.of || undefined}
            value={progress.of ? progress.have : undefined}
          />
        )}
      </div>
    </section>
  );
}
