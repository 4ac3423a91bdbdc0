/** The start page of a console: waiting work, treasury, records and health. */
import type { TreasuryFailure } from "../../lib/features/bank/mod.ts";
import type { Bank, Freshness, Money } from "../../lib/features/bank/console/dashboard.ts";
import type { Lists } from "./dashboard_lists.ts";
import type { RecordCounts, Waiting } from "../../lib/features/console/dashboard.ts";
import { groupAlerts, type NamedObjects } from "../alerts/views.ts";
import { errorMessage } from "../../lib/features/bank/console/labels.ts";
import type { Alert, AlertReport } from "../../lib/features/alerts/mod.ts";
import { formatMoney } from "../../lib/features/payments/mod.ts";
import type { InfraHealth } from "../../lib/features/infra/mod.ts";
import type { NewRecord } from "../../lib/features/records/mod.ts";
import { formatCount, plural } from "../../lib/base/time.ts";
import { Ago } from "../Ago.tsx";
import { StateNote } from "../StateNote.tsx";
import { AccountTable, BalanceCard, LatestTransactions } from "./DashboardMoney.tsx";
import { MonthTiles, SlowBank } from "../bank/MonthTiles.tsx";
import { LateBank } from "../bank/LateBank.tsx";
import { TreasuryCard } from "../bank/TreasuryCard.tsx";

export interface DashboardProps extends Bank {
  health: InfraHealth;
  /** The page that explains the health; null for board members. */
  healthPath: string | null;
  counts: RecordCounts;
  /** The lists for full administrators; null for others. */
  lists: Lists | null;
  /** The work that waits for full administrators; null for others. */
  waiting: readonly Waiting[] | null;
  /** The operators without a passkey, for full administrators; null for others. */
  unprotected: readonly string[] | null;
  /** The server's time, ISO 8601. */
  now: string;
}

/** The console's first page (spec 4.2.1). */
export function Dashboard(
  { summary, board, view, late, health, healthPath, counts, lists, waiting, unprotected, now }:
    DashboardProps,
) {
  const details = lists === null ? null : "/console/finance";
  return (
    <div class="dash stack gap-4">
      <header class="wrap middle apart gap-1-4">
        <h1 class="flush">Dashboard</h1>
        <HealthLine health={health} path={healthPath} />
        <a class="button small" href="/console/report">Printable report</a>
      </header>
      {waiting !== null && <WaitingTiles waiting={waiting} />}
      {unprotected !== null && unprotected.length > 0 && <Unprotected emails={unprotected} />}
      {late && <LateBank href="/console?wait=1" />}
      <div class="dash-body" data-late="bank">
        <div class="dash-top stack gap-4">
          <TreasuryCard {...{ summary, board, details, now }} />
          {view.kind === "money"
            ? (
              <AccountTable
                accounts={view.money.accounts}
                drillDown
                freshness={accountsFreshness(view.money)}
                now={now}
              />
            )
            : view.kind === "failed"
            ? <NoBank error={view.error} full={lists !== null} />
            : view.kind === "accounts"
            ? <AccountTable {...view} drillDown={false} now={now} />
            : board.days.length > 1 && <BalanceCard board={board} />}
        </div>
        {view.kind === "money" && <MonthTiles flow={view.money.flow} now={now} />}
        {lists !== null && (
          <div class="dash-columns stack top gap-4">
            {view.kind === "money" && <LatestTransactions latest={view.money.latest} />}
            <div class="stack gap-4">
              <AlertCard alerts={lists.alerts} named={lists.named} now={now} />
              <RecordCard records={lists.records} counts={counts} now={now} />
            </div>
          </div>
        )}
        {lists === null && <CountTiles counts={counts} />}
      </div>
    </div>
  );
}

const accountsFreshness = ({ reason, accountsAt }: Money): Freshness => ({
  state: reason === undefined ? "live" : "stale",
  error: reason,
  readAt: accountsAt,
});

/** The work that waits comes first: a link for each kind of it. */
function WaitingTiles({ waiting }: { waiting: readonly Waiting[] }) {
  return (
    <nav class="dash-waiting" aria-label="Waiting">
      <ul class="plain box">
        {waiting.map(({ text, count, most, href }) => (
          <li key={text}>
            <a
              href={href}
              class={`wrap baseline ${count === 0 ? "none" : "ink"}`}
              aria-current="false"
            >
              <span class="figure">
                {count < most ? formatCount(count) : `${formatCount(most - 1)}+`}
              </span>
              <span>{text}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** How many operators without a passkey the dashboard names. */
const MOST_NAMED = 5;

/** Names the operators whose mailboxes open the console. */
function Unprotected({ emails }: { emails: readonly string[] }) {
  const more = emails.length - MOST_NAMED;
  return (
    <p class="note flush anywhere">
      Without a passkey: {emails.slice(0, MOST_NAMED).join(", ")}
      {more > 0 && ` and ${more} more`}. Whoever reads{" "}
      {emails.length === 1 ? "this mailbox" : "one of these mailboxes"} can open this console.{" "}
      <a href="/console/team">Team</a>
    </p>
  );
}

const DOTS: Record<InfraHealth["worst"], string> = {
  ok: "live",
  degraded: "degraded",
  down: "down",
  unknown: "",
};

/** A line about the system's health, with a link to the details for those who may see them. */
function HealthLine(
  { health: { worst, text }, path }: { health: InfraHealth; path: string | null },
) {
  return (
    <div class="health shrinks" data-late="health">
      <p class={`connection middle muted text-small ${DOTS[worst]}`}>
        <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
          <circle cx="5" cy="5" r="4" />
        </svg>
        {path === null ? text : <a href={path}>{text}</a>}
      </p>
    </div>
  );
}

/** Shown instead of the bank's other cards if there is neither current nor stored data. */
function NoBank({ error, full }: { error: TreasuryFailure["error"]; full: boolean }) {
  const connected = error !== "not_connected";
  if (error === "slow") return <SlowBank title="Bank data" />;
  return (
    <section class="card" aria-label="Bank data">
      <StateNote
        kind="empty"
        title={connected ? "The bank’s data is unavailable" : "No bank is connected"}
      >
        <p>
          {connected
            ? `${errorMessage(error)} Balances appear as soon as it responds.`
            : "Balances appear here once a bank token is configured."}
        </p>
        {connected
          ? <a class="button small" href="/console">Try again</a>
          : full && <a class="button small" href="/console/finance">Connect the bank</a>}
      </StateNote>
    </section>
  );
}

function AlertCard(
  { alerts, named, now }: { alerts: readonly Alert[]; named: NamedObjects; now: string },
) {
  return (
    <section class="card dash-list" aria-labelledby="alerts-title">
      <header>
        <h2 id="alerts-title">Open alerts</h2>
        <a class="text-small" href="/console/alerts">All alerts</a>
      </header>
      {alerts.length === 0
        ? <p class="note">Nothing needs attention. Access requests and failures appear here.</p>
        : (
          <ul class="plain stack">
            {groupAlerts(alerts).map((
              { kind, state, alerts: [{ id, at, count, reports }, ...more] },
            ) => (
              <li class="stack middle" key={id}>
                <a class="ink cut" href="/console/alerts">{named.kinds[kind]}</a>
                {state === "unread" && <span class="pill warn">New</span>}
                <small class="anywhere">
                  {subjectOf(reports[0], named)}
                  {count > 1 && `${plural(count, "time")}, `}
                  <Ago time={at} now={now} />
                  {more.length > 0 && `, and ${more.length} before it`}
                </small>
              </li>
            ))}
          </ul>
        )}
    </section>
  );
}

/** Names what an alert is about: a document and its record's holder, a payment, or a part of the site. */
function subjectOf(report: AlertReport | undefined, named: NamedObjects): string {
  if (report === undefined) return "";
  const { links, details } = report;
  const request = named.requests.get(links.request ?? "");
  const payment = named.payments.get(links.payment ?? "");
  const names = request !== undefined
    ? [request.title, named.records.get(request.record)]
    : payment !== undefined
    ? [formatMoney(payment.amount, payment.currency), payment.description]
    : [details.name];
  return names.filter((name) => name).map((name) => `${name}, `).join("");
}

/** The records as numbers, for board members. */
function CountTiles({ counts: { month, previous, total } }: { counts: RecordCounts }) {
  const tiles = [
    ["New this month", month],
    ["Same days last month", previous],
    ["Total", total],
  ] as const;
  return (
    <section class="dash-flow" aria-labelledby="counts-title">
      <h2 id="counts-title">Records</h2>
      <ul class="plain stack gap-4 above-3">
        {tiles.map(([label, count]) => (
          <li key={label} class="card gap-1">
            <span class="label">{label}</span>
            <span class="figure">{formatCount(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RecordCard(
  { records, counts, now }: {
    records: readonly NewRecord[];
    counts: RecordCounts;
    now: string;
  },
) {
  return (
    <section class="card dash-list" aria-labelledby="records-title">
      <header>
        <h2 id="records-title">New records</h2>
        <a class="text-small" href="/console/records">All records</a>
      </header>
      {records.length === 0
        ? <p class="note">No records yet. Each enquiry from the contact form appears here.</p>
        : (
          <ul class="plain stack">
            {records.map(({ hash, name, level, registered_at }) => (
              <li class="stack middle" key={hash}>
                <a class="ink cut" href={`/console/records/${hash}`}>{name}</a>
                <span class="pill">Level {level}</span>
                <small>
                  <Ago time={registered_at} now={now} />
                </small>
              </li>
            ))}
          </ul>
        )}
      {records.length > 0 && (
        <p class="note pad-top-3 ruled">
          {plural(counts.month, "record")} this month, {formatCount(counts.previous)}{" "}
          in the same days last month
        </p>
      )}
    </section>
  );
}
