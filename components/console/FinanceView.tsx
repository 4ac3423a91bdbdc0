import Ago from "../../islands/Ago.tsx";
import type { Figures, FinancePlace, RefreshResult } from "../../lib/console/finance.ts";
import { AccountCards } from "./AccountCards.tsx";
import { EntityBanner } from "./EntityBanner.tsx";
import { PendingAccount } from "./PendingAccount.tsx";
import { RefreshForm } from "./RefreshForm.tsx";
import { SetupCard } from "./SetupCard.tsx";
import { Trouble } from "./Trouble.tsx";

export interface FinanceViewProps {
  place: FinancePlace;
  figures: Figures;
  /** The bank has failed since they came. */
  stale: boolean;
  result: RefreshResult;
  onRefresh: (event: Event) => void;
}

/** The finance page in each of its states (spec 4.2, 2 to 4). */
export function FinanceView({ place, figures, stale, result, onRefresh }: FinanceViewProps) {
  const { summary, accounts, now } = figures;
  const connected = accounts.connection_status === "live";
  const setUp = connected || accounts.reason !== undefined;
  const synced = connected
    ? accounts.cached_at
    : summary.connection_status === "live"
    ? summary.cached_at
    : summary.stale?.cached_at;
  return (
    <>
      <header class="console-head">
        <h1>Finance</h1>
        {setUp && <RefreshForm result={result} onRefresh={onRefresh} />}
        {setUp && (
          <p class="synced">
            Last synced: {synced === undefined ? "never" : <Ago time={synced} now={now} />}
          </p>
        )}
      </header>
      {!setUp
        ? <SetupCard variables={place.variables} message={messageOf(figures)} />
        : !connected
        ? <Trouble reason={accounts.reason!} figures={figures} place={place} />
        : (
          <div class={stale ? "stale" : undefined}>
            <EntityBanner
              place={place}
              summary={summary}
              accounts={accounts}
              live={!stale}
            />
            {accounts.pending_account === undefined
              ? (
                <AccountCards
                  accounts={accounts.accounts}
                  drillDown={place.kind === "commercial"}
                />
              )
              : <PendingAccount account={accounts.pending_account} />}
          </div>
        )}
    </>
  );
}

const messageOf = ({ summary }: Figures): string => "message" in summary ? summary.message : "";
