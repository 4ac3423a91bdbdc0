/** The console's page about one bank account, which puts its heading, charts, filters and list together. */
import type { AccountData } from "../../lib/features/bank/console/account.ts";
import { HISTORY_NOTE } from "../../lib/features/bank/console/labels.ts";
import { isFiltered, ledgerPath } from "../../lib/features/bank/console/ledger_path.ts";
import { Chart } from "../chart/Chart.tsx";
import { StateNote } from "../StateNote.tsx";
import { AccountHead } from "./AccountHead.tsx";
import { AccountProblem } from "./AccountProblem.tsx";
import { FlowSection } from "./FlowSection.tsx";
import { Ledger } from "./Ledger.tsx";
import { LedgerForm } from "./LedgerForm.tsx";
import { Skeleton } from "../console_parts.tsx";
import { TransactionPanel } from "./TransactionPanel.tsx";
import { useAccount } from "./use_account.ts";
import { ShortcutHint } from "../ShortcutHint.tsx";
import { useShortcuts } from "./use_shortcuts.ts";

/**
 * One account: balance, daily flow and transactions (spec 4.2.3). With scripts, filters and pages are
 * fetched without leaving the page; without, the same URLs are links and a form.
 */
export function AccountPage({ initial }: { initial: AccountData }) {
  const page = useAccount(initial);
  const shortcuts = useShortcuts(page);
  const { data, applied, outdated, busy, shown } = page;
  const { path, account, accounts, issues, ledger, error, now } = data;
  const invalid = Object.keys(issues).length > 0;
  const problem = page.failure ?? error;
  const list = { path, typed: applied, offset: ledger?.offset ?? 0 };
  return (
    <div class="account-page" ref={page.root}>
      <AccountHead {...{ account, accounts, path, now }} typed={applied} />
      {error === "restricted"
        ? (
          <StateNote kind="empty" title="The account is restricted">
            <p>The bank lists it but does not share its transactions.</p>
          </StateNote>
        )
        : (
          <>
            {account?.status === "active" && (
              <BalanceChart
                path={path}
                readAt={account.cached_at}
              />
            )}
            <LedgerForm page={page} />
            {data.late && <LateNote href={ledgerPath(path, applied)} hydrated={page.hydrated} />}
            {problem !== null && problem !== "slow" && (
              <AccountProblem
                code={problem}
                href={ledgerPath(path, page.typed)}
                outdated={outdated}
                onRetry={page.retry}
              />
            )}
            <div
              class="ledger-results relative"
              aria-busy={busy ? "true" : undefined}
              ref={page.results}
            >
              {ledger === null && problem === "slow" && <Skeleton lines={8} />}
              {busy && <p class="ledger-loading">Reading from the bank…</p>}
              {ledger !== null && (
                <FlowSection
                  ledger={ledger}
                  typed={applied}
                  totals={!invalid || outdated}
                  busy={busy}
                  retryPath={ledgerPath(path, applied)}
                />
              )}
              {ledger !== null && invalid && !outdated && (
                <StateNote kind="error" title="Some filters are invalid">
                  <p>Correct the marked fields.</p>
                </StateNote>
              )}
              {ledger !== null && (!invalid || outdated) && (
                <div class={shown === "" ? "ledger-split" : "ledger-split open"}>
                  <Ledger
                    {...list}
                    ledger={ledger}
                    shown={shown}
                    filtered={isFiltered(applied)}
                    onPage={page.onPage}
                    onOpen={page.onOpen}
                  />
                  {shown !== "" && (
                    <TransactionPanel
                      {...list}
                      id={shown}
                      transaction={page.open}
                      busy={busy}
                      onClose={page.onClose}
                      focusRef={page.panel}
                    />
                  )}
                </div>
              )}
            </div>
            {ledger !== null && (
              <ShortcutHint shortcuts={shortcuts}>
                <kbd>j</kbd> <kbd>k</kbd> next and previous row, <kbd>Enter</kbd> details,{" "}
                <kbd>/</kbd> search, <kbd>Esc</kbd> close
              </ShortcutHint>
            )}
          </>
        )}
    </div>
  );
}

/** The balance of the account, requested after the page. */
function BalanceChart({ path, readAt }: { path: string; readAt: string }) {
  const src = `${path}?chart=balance&at=${encodeURIComponent(readAt)}`;
  return (
    <section class="card below-5" aria-labelledby="balance-title">
      <h2 id="balance-title">Balance, last 90 days</h2>
      <Chart
        type="line"
        data={{ labels: [], datasets: [] }}
        options={{ currency: "USD", label: "Balance", src }}
        height={200}
      />
      <p class="note">{HISTORY_NOTE}</p>
    </section>
  );
}

/** Says that data is still missing. The page fetches it; without scripts, a link waits for it. */
function LateNote({ href, hydrated }: { href: string; hydrated: boolean }) {
  const wait = `${href}${href.includes("?") ? "&" : "?"}wait=1`;
  return (
    <p class="note flush">
      The bank is slow to respond. {hydrated
        ? "The transactions appear here once it does."
        : <a href={wait} aria-current="false">Wait for the bank</a>}
    </p>
  );
}
