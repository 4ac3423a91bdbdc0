import Ago from "../../islands/Ago.tsx";
import type { AccountView } from "../../lib/bank/mod.ts";
import type { AccountReading } from "../../lib/console/account.ts";
import type { LedgerFilters } from "../../lib/console/ledger_filters.ts";
import { dollars, nameOf, reasonText, wordsOf } from "../../lib/console/words.ts";
import { StateNote } from "../StateNote.tsx";
import { AccountNumber, AccountStatus } from "./account_parts.tsx";
import { FlowSection } from "./FlowSection.tsx";
import { Ledger } from "./Ledger.tsx";
import { LedgerFilterForm } from "./LedgerFilterForm.tsx";

/** One account: what it holds, its daily flow, and its transactions (spec 4.2.3). */
export function AccountPage({ reading, filters, url, now }: {
  reading: Exclude<AccountReading, { state: "unknown" }>;
  filters: LedgerFilters;
  url: URL;
  /** The server's time, ISO 8601. */
  now: string;
}) {
  const again = url.pathname + url.search;
  return (
    <>
      <nav class="trail" aria-label="Where this stands">
        <a href="/console/finance">← Finance</a>
      </nav>
      {reading.account === undefined
        ? <h1>Account</h1>
        : <Head account={reading.account} cachedAt={reading.cachedAt} now={now} />}
      {reading.state === "closed"
        ? (
          <StateNote kind="empty" title="The account is restricted">
            <p>The bank lists it, and gives out none of its transactions.</p>
          </StateNote>
        )
        : reading.state === "unreadable"
        ? (
          <StateNote kind="error" title="The bank did not tell the transactions">
            <p>{reasonText(reading.code)}</p>
            <a class="button small" href={again}>Try again</a>
          </StateNote>
        )
        : (
          <>
            {reading.state === "read" && reading.flow !== null && (
              <FlowSection flow={reading.flow} again={again} />
            )}
            <section id="transactions" aria-labelledby="transactions-title">
              <h2 id="transactions-title" class="part-title">Transactions</h2>
              <LedgerFilterForm path={url.pathname} filters={filters} />
              {reading.state === "read" && "query" in filters
                ? <Ledger query={filters.query} answer={reading.ledger} />
                : (
                  <StateNote kind="error" title="These filters cannot be used">
                    <p>Correct what is marked, then show the transactions.</p>
                  </StateNote>
                )}
            </section>
          </>
        )}
    </>
  );
}

function Head(
  { account, cachedAt, now }: { account: AccountView; cachedAt: string; now: string },
) {
  const { kind, last4, balance, status } = account;
  return (
    <header class="account-head">
      <div>
        <h1>{nameOf(account)}</h1>
        <p>
          {wordsOf(kind)} <AccountNumber last4={last4} />
          <AccountStatus status={status} />
        </p>
      </div>
      <p class="total">
        <span class="label">Balance</span>
        <span class="figure">{dollars(balance)}</span>
        <span class="label">
          Updated <Ago time={cachedAt} now={now} />
        </span>
      </p>
    </header>
  );
}
