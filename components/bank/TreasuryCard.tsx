/** The card on the dashboard with the organisation's total balance, even if the bank cannot be reached. */
import { Ago } from "../Ago.tsx";
import type { FallbackSummary, Summary } from "../../lib/features/bank/mod.ts";
import {
  activeAccounts,
  dollars,
  errorMessage,
  PARTIAL_TOTAL,
  partsOf,
  PENDING_ACCESS,
  signed,
} from "../../lib/features/bank/console/labels.ts";
import type { Board, BoardChange } from "../../lib/features/bank/console/board.ts";
import { formatDay } from "../../lib/base/time.ts";
import { Connection, TotalParts } from "./parts.tsx";
import { Total } from "../console_parts.tsx";

export interface TreasuryCardProps {
  summary: Summary;
  /** The past of the total. */
  board: Board;
  /** Link to the finance page; null if the operator may not open it. */
  details: string | null;
  /** The server's time, ISO 8601. */
  now: string;
}

/** The dashboard's treasury card for both layers (spec 4.2.1, 4.2.3). It shows no accounts. */
export function TreasuryCard({ summary, board, details, now }: TreasuryCardProps) {
  const { entity, entity_note, last_activity } = summary;
  const live = summary.connection_status === "live";
  const pending = summary.connection_status === "live" && summary.pending === true;
  return (
    <section class="card treasury gap-4" aria-labelledby="treasury-title">
      <header class="wrap">
        <h2 id="treasury-title">Treasury</h2>
        <Connection
          live={live}
          waiting={!live && summary.reason === "slow"}
          pending={pending}
        />
      </header>
      <Total label="Total balance" figure={dollars(summary.total_balance)} />
      {live && <TotalParts held={summary.held_in_trust} />}
      {board.change !== null && <ChangeLine change={board.change} />}
      {details === null && board.days.length === 1 && <p class="note">{NO_PAST}</p>}
      <dl class="rows stack gap-2">
        <div class="flex apart gap-4">
          <dt class="rigid muted">Active accounts</dt>
          <dd class="mono anywhere">{summary.active_accounts ?? "–"}</dd>
        </div>
        {last_activity !== undefined && (
          <div class="flex apart gap-4">
            <dt class="rigid muted">Last activity</dt>
            <dd class="anywhere">
              {last_activity === null ? "–" : <Ago time={last_activity} now={now} />}
            </dd>
          </div>
        )}
        <div class="flex apart gap-4">
          <dt class="rigid muted">Entity</dt>
          <dd class="anywhere">
            {entity} {entity_note !== "" && <span class="nowrap">(proof of connection)</span>}
          </dd>
        </div>
      </dl>
      {pending && <p class="note">{PENDING_ACCESS}</p>}
      {live && !pending && summary.total_balance === null && <p class="note">{PARTIAL_TOTAL}</p>}
      {!live && <BankError summary={summary} now={now} />}
      {details !== null && (
        <p class="note">
          The board sees this card, the line of the last 90 days and{" "}
          <a href="/console/report">its report</a>: sums, and no account or transaction.
        </p>
      )}
      <footer class="wrap treasury-foot middle apart gap-2-4 pad-top-3 ruled muted text-small">
        <span>
          {live ? "Updated" : "Checked"} <Ago time={summary.cached_at} now={now} />
        </span>
        {details !== null && <a class="bold screen-only" href={details}>View Details</a>}
      </footer>
    </section>
  );
}

/** Said instead of the line of the total while only one day's sum is known. */
export const NO_PAST = "How the total changes is shown here once two days are known.";

/** The change since the end of last month, and that of last month. */
export const ChangeLine = ({ change: { amount, since, lastMonth } }: { change: BoardChange }) => (
  <p class="flush">
    <span class={amount > 0 ? "mono into" : "mono"}>{signed(amount)}</span> since the end of{" "}
    {formatDay(since)}
    {lastMonth !== null && (
      <>
        , and <span class={lastMonth > 0 ? "mono into" : "mono"}>{signed(lastMonth)}</span> in{" "}
        {formatDay(since, "month")}
      </>
    )}
  </p>
);

/** Explains why there are no figures, and shows the last good ones. */
function BankError(
  { summary: { reason, stale }, now }: { summary: FallbackSummary; now: string },
) {
  return (
    <div class="note">
      <p>{errorMessage(reason ?? "not_connected")}</p>
      {stale !== undefined && (
        <p class="stale">
          Last known: <span class="mono">{dollars(stale.total_balance)}</span> in{" "}
          {activeAccounts(stale.active_accounts)},{" "}
          {partsOf(stale.held_in_trust).map(([label, figure]) => (
            <>
              {label} <span class="mono">{figure}</span>,{" "}
            </>
          ))}
          <Ago time={stale.cached_at} now={now} />
        </p>
      )}
    </div>
  );
}
