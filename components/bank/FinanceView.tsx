/** The console's finance page: accounts and totals, or how to connect the bank. */
import { useState } from "preact/hooks";
import { Ago } from "../Ago.tsx";
import { DEFAULT_RANGE, type Selection } from "../../lib/features/chart/mod.ts";
import type { AccountsResponse, Summary } from "../../lib/features/bank/mod.ts";
import type {
  Figures,
  FinanceSettings,
  RefreshState,
} from "../../lib/features/bank/console/finance.ts";
import {
  activeAccounts,
  dollars,
  errorMessage,
  HISTORY_NOTE,
  PARTIAL_TOTAL,
} from "../../lib/features/bank/console/labels.ts";
import { StateNote } from "../StateNote.tsx";
import type { FinanceMoney } from "../../lib/features/bank/console/finance_money.ts";
import { AccountCards, PendingAccountCard } from "./AccountCards.tsx";
import { ChangeSection } from "./ChangeSection.tsx";
import { MonthTiles } from "./MonthTiles.tsx";
import { Chart } from "../chart/Chart.tsx";
import { Card, Total } from "../console_parts.tsx";
import { Connection, TotalParts } from "./parts.tsx";
import { RefreshForm } from "./RefreshForm.tsx";

export interface FinanceViewProps {
  settings: FinanceSettings;
  figures: Figures;
  /** True if the bank has failed since the figures were read. */
  stale: boolean;
  refresh: RefreshState;
  onRefresh: (event: Event) => void;
}

/** The finance page in all its states (spec 4.2.2 to 4.2.4). */
export function FinanceView({ settings, figures, stale, refresh, onRefresh }: FinanceViewProps) {
  const { summary, accounts, now } = figures;
  const connected = accounts.connection_status === "live";
  const hasToken = connected || accounts.reason !== undefined;
  const synced = connected
    ? accounts.cached_at
    : summary.connection_status === "live"
    ? summary.cached_at
    : summary.stale?.cached_at;
  return (
    <>
      <header class="console-head stack middle gap-0-4 below-5">
        <h1>Finance</h1>
        {hasToken && <RefreshForm refresh={refresh} onRefresh={onRefresh} />}
        {hasToken && (
          <p class="synced muted text-small">
            Last synced: {synced === undefined ? "never" : <Ago time={synced} now={now} />}
          </p>
        )}
      </header>
      {connected
        ? (
          <div class={stale ? "stale" : undefined}>
            <EntityBanner {...{ settings, summary, accounts }} live={!stale} />
            {accounts.pending_account === undefined
              ? (
                <AccountCards
                  accounts={accounts.accounts}
                  drillDown={settings.kind === "commercial"}
                />
              )
              : <PendingAccountCard account={accounts.pending_account} />}
            {figures.money !== null && <Money {...figures.money} now={now} />}
            {settings.kind === "commercial" && <FinanceCharts readAt={accounts.cached_at} />}
          </div>
        )
        : hasToken
        ? <BankError error={accounts.reason!} figures={figures} />
        : <SetupCard title="Connect the bank" {...{ settings, summary }} />}
      {isRejected(accounts, refresh) && (
        <SetupCard title="Replace the token" {...{ settings, summary }} />
      )}
    </>
  );
}

/** Returns whether the bank rejects the token, possibly only since the figures were read. */
const isRejected = (accounts: AccountsResponse, refresh: RefreshState): boolean =>
  accounts.connection_status === "not_connected" && accounts.reason === "auth_failed" ||
  refresh.state === "failed" && refresh.code === "auth_failed";

/** The entity that the accounts belong to, and their total (spec 4.2.2 to 4.2.4). */
function EntityBanner({ settings, summary, accounts, live }: {
  settings: FinanceSettings;
  summary: Summary;
  accounts: Extract<AccountsResponse, { connection_status: "live" }>;
  live: boolean;
}) {
  const active = accounts.accounts.filter(({ status }) => status === "active").length;
  return (
    <section class="card banner" aria-label="Connected entity">
      <div>
        <EntityName kind={settings.kind} entity={summary.entity} />
        <Connection live={live} pending={accounts.pending_account !== undefined} />
      </div>
      {accounts.pending_account === undefined && (
        <Total label="Total balance" figure={dollars(accounts.total_balance)}>
          {activeAccounts(active)}
        </Total>
      )}
      <TotalParts held={accounts.held_in_trust} />
      {accounts.pending_account === undefined && accounts.total_balance === null && (
        <p class="note">{PARTIAL_TOTAL}</p>
      )}
    </section>
  );
}

/** In and out of this month, and the change since a day. */
function Money({ flow, change, now }: FinanceMoney & { now: string }) {
  const isLate = flow.error === "slow";
  return (
    <div class="dash stack gap-4 above-5 below-5">
      <MonthTiles flow={flow} now={now} />
      {isLate && (
        <noscript>
          <p class="note">
            <a href="/console/finance?wait=1" aria-current="false">Wait for the bank</a>
          </p>
        </noscript>
      )}
      {change !== null && !isLate && <ChangeSection change={change} />}
    </div>
  );
}

/**
 * The balance and the flow of all active accounts in one range, which are requested after the page, because the
 * bank takes longer to send transactions.
 *
 * @param props.readAt when the accounts were read; the charts are requested again if it changes
 */
function FinanceCharts({ readAt }: { readAt: string }) {
  const optionsOf = (name: string, label: string) => ({
    currency: "USD",
    label,
    src: `/console/finance?chart=${name}&at=${encodeURIComponent(readAt)}`,
  });
  const data = { labels: [], datasets: [] };
  const shared = useState<Selection>({ range: DEFAULT_RANGE });
  return (
    <div class="finance-charts stack gap-3">
      <Card id="balance-title" title="Balance">
        <Chart
          {...{ data, shared }}
          timeRange
          datePicker
          type="line"
          options={optionsOf("balance", "Balance of all active accounts")}
          height={220}
        />
      </Card>
      <Card id="flow-title" title="Daily flow">
        <Chart
          {...{ data, shared }}
          type="bar"
          options={optionsOf("flow", "Daily flow of all active accounts")}
          height={220}
          accumulative
        />
      </Card>
      <p class="note flush">{HISTORY_NOTE}</p>
    </div>
  );
}

function EntityName({ kind, entity }: { kind: FinanceSettings["kind"]; entity: string }) {
  switch (kind) {
    case "foundation":
      return (
        <>
          <h2>Connected to: {entity} (proof of connection)</h2>
          <p>The connection is rekeyed when the foundation's own account opens.</p>
        </>
      );
    case "split":
      return (
        <>
          <h2>Treasury</h2>
          <p>{entity}: the foundation's own account.</p>
        </>
      );
    case "commercial":
      return (
        <>
          <h2>{entity}</h2>
          <p>Commercial Treasury</p>
        </>
      );
  }
}

/**
 * Explains why there are no current figures and what to do about it, and shows the last good ones.
 */
function BankError(
  { error, figures }: { error: string; figures: Figures },
) {
  const { summary, now } = figures;
  const stale = summary.connection_status === "live" ? undefined : summary.stale;
  return (
    <>
      <StateNote kind="error" title="The bank is not connected">
        <p>{errorMessage(error)}</p>
        <p>
          {error === "auth_failed" ? "Replace it as described below." : "Refresh to try again."}
        </p>
      </StateNote>
      {stale !== undefined && (
        <section class="card banner stale" aria-labelledby="stale-title">
          <div>
            <h2 id="stale-title">Last known figures</h2>
            <p>
              From <Ago time={stale.cached_at} now={now} />; they may have changed since.
            </p>
          </div>
          <Total label="Total balance" figure={dollars(stale.total_balance)}>
            {activeAccounts(stale.active_accounts)}
          </Total>
          <TotalParts held={stale.held_in_trust} />
        </section>
      )}
    </>
  );
}

/** Instructions for a token, while there is none or the bank rejects it (spec 4.2.2). */
function SetupCard(
  { title, settings, summary }: { title: string; settings: FinanceSettings; summary: Summary },
) {
  const [token, ...others] = settings.variables;
  return (
    <section class="card setup" aria-labelledby="setup-title">
      <h2 id="setup-title">{title}</h2>
      {"message" in summary && <p>{summary.message}</p>}
      <ol>
        <li>
          Sign in to the bank as an administrator of the organisation, and open the API token
          settings.
        </li>
        <li>
          Generate a token that may read accounts and transactions. This site never writes to the
          bank.
        </li>
        <li>
          Set the whole token, including its prefix, as the token secret <code>{token}</code>{" "}
          of this site.
          {others.map((name) => (
            <>
              {" "}Also set <code>{name}</code> to the URL of the bank's API.
            </>
          ))}
        </li>
        <li>Restart the site. To connect another organisation later, replace the token.</li>
      </ol>
    </section>
  );
}
