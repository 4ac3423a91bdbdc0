/** The treasury report that board members print from a console. */
import { sumAmounts, type Summary } from "../../lib/features/bank/mod.ts";
import type { Board } from "../../lib/features/bank/console/board.ts";
import type { RecordCounts } from "../../lib/features/console/dashboard.ts";
import {
  dollars,
  errorMessage,
  PARTIAL_TOTAL,
  PENDING_ACCESS,
  signed,
} from "../../lib/features/bank/console/labels.ts";
import type { InfraHealth } from "../../lib/features/infra/mod.ts";
import { formatCount, formatDateTime } from "../../lib/base/time.ts";
import { PrintButton } from "../PrintButton.tsx";
import { spanText } from "./DashboardMoney.tsx";
import { LateBank } from "../bank/LateBank.tsx";
import { TotalParts } from "../bank/parts.tsx";
import { ChangeLine, NO_PAST } from "../bank/TreasuryCard.tsx";
import { PrintedTrend } from "../chart/Sparkline.tsx";
import { Time } from "../Time.tsx";

export interface ReportPageProps {
  summary: Summary;
  board: Board;
  /** True if the bank was too slow. */
  late: boolean;
  organisation: string;
  health: InfraHealth;
  counts: RecordCounts;
  /** The server's time, ISO 8601. */
  now: string;
}

/** The report for board meetings: one A4 page with sums, and without any account's data. */
export function ReportPage(
  { organisation, summary, board, late, health, counts, now }: ReportPageProps,
) {
  return (
    <article class="report stack">
      <header class="stack bottom gap-0-4">
        <p class="eyebrow">{organisation}</p>
        <h1>Treasury report</h1>
        <p class="note">
          As of <Time at={now} />
        </p>
        <PrintButton />
      </header>
      {late && <LateBank href="/console/report?wait=1" />}
      <div class="report-body" data-late="report">
        <div class="report-facts stack gap-5">
          <TreasuryFacts summary={summary} change={board.change} />
          <div>
            <section aria-labelledby="report-records">
              <h2 id="report-records">Records</h2>
              <dl class="facts gap-1-4 flush">
                <dt>New this month</dt>
                <dd>
                  {formatCount(counts.month)} ({formatCount(counts.previous)}{" "}
                  in the same days last month)
                </dd>
                <dt>Total</dt>
                <dd>{formatCount(counts.total)}</dd>
              </dl>
            </section>
            <section aria-labelledby="report-system">
              <h2 id="report-system">System</h2>
              <p>{health.text}</p>
            </section>
          </div>
        </div>
        {board.days.length > 1
          ? <TrendSection board={board} />
          : board.days.length === 1 && <p class="note">{NO_PAST}</p>}
      </div>
      <footer class="pad-top-3 lined muted text-small">
        Prepared for the board of{" "}
        {organisation}, without data about individual accounts. Amounts are in US dollars, days in
        UTC.
      </footer>
    </article>
  );
}

function TreasuryFacts({ summary, change }: { summary: Summary; change: Board["change"] }) {
  const live = summary.connection_status === "live";
  const { entity, entity_note, cached_at, last_activity } = summary;
  const stale = live ? undefined : summary.stale;
  const total = live ? summary.total_balance : stale?.total_balance ?? null;
  const count = live ? summary.active_accounts : stale?.active_accounts ?? null;
  return (
    <section aria-labelledby="report-treasury">
      <h2 id="report-treasury">Treasury</h2>
      <p class="report-total mono">{dollars(total)}</p>
      <TotalParts held={(live ? summary : stale)?.held_in_trust} />
      {change !== null && <ChangeLine change={change} />}
      <dl class="facts gap-1-4 flush">
        <dt>Active accounts</dt>
        <dd>{count ?? "–"}</dd>
        {last_activity !== undefined && (
          <>
            <dt>Last activity</dt>
            <dd>{last_activity === null ? "–" : formatDateTime(last_activity)}</dd>
          </>
        )}
        <dt>Entity</dt>
        <dd>{entity} {entity_note !== "" && "(proof of connection)"}</dd>
        <dt>Bank connection</dt>
        <dd>
          {live
            ? summary.pending ? "Live, account pending" : "Live"
            : summary.reason === "slow"
            ? "Waiting for the bank, which is slow to respond."
            : `Not connected. ${errorMessage(summary.reason ?? "not_connected")}`}
        </dd>
        <dt>Balances from</dt>
        <dd>
          {live
            ? formatDateTime(cached_at)
            : stale === undefined
            ? "–"
            : `${formatDateTime(stale.cached_at)} (last known)`}
        </dd>
      </dl>
      {live && summary.pending === true && <p class="note">{PENDING_ACCESS}</p>}
      {live && summary.pending !== true && total === null && <p class="note">{PARTIAL_TOTAL}</p>}
    </section>
  );
}

function TrendSection({ board }: { board: Board }) {
  return (
    <section aria-labelledby="report-trend">
      <h2 id="report-trend">Balance, last 90 days</h2>
      <PrintedTrend days={board.days} values={board.balances} label={spanText(board)} />
      <MonthEnds {...board} />
    </section>
  );
}

/** The balances at the start and the end of the trend, and at the ends of months in it. */
function MonthEnds({ days, balances }: Pick<Board, "days" | "balances">) {
  const rows = days.map((day, i) => ({ day, balance: balances[i] })).filter(({ day }, i) =>
    i === 0 || i === days.length - 1 || days[i + 1].slice(0, 7) !== day.slice(0, 7)
  );
  return (
    <table class="table">
      <caption class="visually-hidden">Balances at the ends of months</caption>
      <thead>
        <tr>
          <th scope="col">End of</th>
          <th scope="col" class="figure-cell">Balance</th>
          <th scope="col" class="figure-cell change">Change</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ day, balance }, i) => {
          const change = i === 0 ? null : signed(sumAmounts([balance, -rows[i - 1].balance]));
          return (
            <tr key={day}>
              <td>
                <Time at={day} day />
              </td>
              <td class="figure-cell mono">
                {dollars(balance)}
                {change !== null && <small>{change}</small>}
              </td>
              <td class="figure-cell mono change">{change ?? "–"}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
