import type { Figures } from "../../lib/features/investor/mod.ts";
import { formatCount } from "../../lib/base/time.ts";
import { Time } from "../Time.tsx";

/** Figures of what exists today, or of what will be counted first. */
export function LiveFigures({ figures, at, sample }: {
  figures: Figures;
  /** When they were read, ISO 8601. */
  at: string;
  /** The page that verifies a chain; null if it is not served here. */
  sample: string | null;
}) {
  const { records, declared, established, identified } = figures;
  const rows = [
    { value: records, text: "records registered" },
    { value: declared, text: "of them with a declared purpose, level 2 or above" },
    { value: established, text: "with a confirmed address and a second factor, level 3 or 4" },
    { value: identified, text: "with a checked identity, level 4" },
  ];
  return (
    <section class="investor-figures" id="today" aria-labelledby="today-title">
      <header>
        <h2 class="below-1 text-large" id="today-title">What exists today</h2>
        <p class="muted flush text-small">
          Counted at <Time at={at} />.
        </p>
      </header>
      {records === 0
        ? (
          <p class="investor-none">
            No records yet. The first enquiry below becomes record number one.
            {sample !== null && (
              <>
                {" "}
                Meanwhile, <a href={sample}>verify a chain</a> in your browser.
              </>
            )}
          </p>
        )
        : (
          <dl class="stack gap-5">
            {rows.map(({ value, text }) => (
              <div class="flex" key={text}>
                <dt class="muted text-medium">{text}</dt>
                <dd>{formatCount(value)}</dd>
              </div>
            ))}
          </dl>
        )}
    </section>
  );
}
