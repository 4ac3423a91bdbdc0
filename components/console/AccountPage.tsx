import { Ago } from "../Ago.tsx";
import type { AccountFailure, AccountLedger, ListedAccount } from "../../lib/console/account.ts";
import { dollars, errorMessage, labelOf, nameOf } from "../../lib/console/labels.ts";
import {
  type LedgerFilters,
  PAGE_SIZES,
  type RangePreset,
} from "../../lib/console/ledger_filters.ts";
import { StateNote } from "../StateNote.tsx";
import { FlowSection } from "./FlowSection.tsx";
import { Ledger } from "./Ledger.tsx";
import { AccountNumber, AccountStatus, Total } from "./parts.tsx";
import { RangeForm } from "./RangeForm.tsx";

export interface AccountPageProps {
  result: AccountLedger | AccountFailure;
  filters: LedgerFilters;
  presets: RangePreset[];
  url: URL;
  /** The server's time, ISO 8601. */
  now: string;
}

/** One account: balance, daily flow and transactions (spec 4.2.3). */
export function AccountPage({ result, filters, presets, url, now }: AccountPageProps) {
  return (
    <>
      <nav class="trail" aria-label="Breadcrumb">
        <a href="/console/finance">← Finance</a>
      </nav>
      {result.listed === undefined ? <h1>Account</h1> : <Head {...result.listed} now={now} />}
      {result.ok || result.error === "invalid_request"
        ? <Transactions {...{ result, filters, presets, url }} />
        : result.error === "restricted"
        ? (
          <StateNote kind="empty" title="The account is restricted">
            <p>The bank lists it but does not share its transactions.</p>
          </StateNote>
        )
        : (
          <StateNote kind="error" title="The transactions could not be read">
            <p>{errorMessage(result.error)}</p>
            <a class="button small" href={url.pathname + url.search}>Try again</a>
          </StateNote>
        )}
    </>
  );
}

function Head({ account, cachedAt, now }: ListedAccount & { now: string }) {
  const { kind, last4, balance, status } = account;
  return (
    <header class="account-head">
      <div>
        <h1>{nameOf(account)}</h1>
        <p>
          {labelOf(kind) || "–"} <AccountNumber last4={last4} />
          <AccountStatus status={status} />
        </p>
      </div>
      <Total label="Balance" figure={dollars(balance)}>
        Updated <Ago time={cachedAt} now={now} />
      </Total>
    </header>
  );
}

/** The date range, with the chart and the table that it applies to. */
function Transactions({ result, filters, presets, url }: Omit<AccountPageProps, "now">) {
  return (
    <>
      <RangeForm
        path={url.pathname}
        typed={filters.typed}
        issues={"issues" in filters ? filters.issues : {}}
        presets={presets}
        pageSizes={PAGE_SIZES}
      />
      {result.flow && <FlowSection flow={result.flow} retryPath={url.pathname + url.search} />}
      <section id="transactions" aria-labelledby="transactions-title">
        <h2 id="transactions-title" class="part-title">Transactions</h2>
        {result.ok && "query" in filters
          ? <Ledger query={filters.query} page={result.ledger} />
          : (
            <StateNote kind="error" title="Some filters are invalid">
              <p>Correct the marked fields, then show the transactions.</p>
            </StateNote>
          )}
      </section>
    </>
  );
}
