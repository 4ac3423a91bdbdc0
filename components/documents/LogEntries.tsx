import type { MatchReport } from "../../lib/features/documents/checks/report.ts";
import { formatCount } from "../../lib/base/time.ts";

/** The entries of a version in the public log, and the salt that opens them, for readers of the document. */
export const LogEntries = ({ log }: { log: NonNullable<MatchReport["log"]> }) => (
  <>
    {log.statements.map(({ n, state, index }) => (
      <div key={n}>
        Statement {n}, {state}:{" "}
        {index === null ? "in the log within a minute" : `entry ${formatCount(index)}`}
      </div>
    ))}
    <div>
      <code>log_salt</code> <code class="anywhere">{log.log_salt}</code>
    </div>
  </>
);
