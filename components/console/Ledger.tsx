import type { TransactionQuery, TransactionsAnswer } from "../../lib/bank/mod.ts";
import { ledgerPath } from "../../lib/console/ledger_filters.ts";
import { StateNote } from "../StateNote.tsx";
import { Icon } from "./icons.tsx";
import { TransactionTable } from "./TransactionTable.tsx";

/** A page of transactions, the way to the other pages, and the same rows to download. */
export function Ledger({ query, answer }: { query: TransactionQuery; answer: TransactionsAnswer }) {
  const { total, offset, transactions } = answer;
  if (transactions.length === 0) {
    return (
      <StateNote kind="empty" title={total === 0 ? "No transactions" : "Nothing on this page"}>
        <p>
          {total === 0
            ? "The account has none with these filters."
            : <a href={ledgerPath(query, { offset: 0 })}>Go to the first page.</a>}
        </p>
      </StateNote>
    );
  }
  const [first, last, all] = [offset + 1, offset + transactions.length, total].map(wholeNumber);
  return (
    <>
      <div class="ledger-bar">
        <p>{first} to {last} of {all}, the newest first</p>
        {/* No `download`: without a session or a bank the answer is a page, to be seen. */}
        <a class="button small" href={ledgerPath(query, { format: "csv" })}>
          <Icon name="download" />
          Download these rows (CSV)
        </a>
      </div>
      <TransactionTable transactions={transactions} caption={`${first} to ${last} of ${all}`} />
      <Pages query={query} answer={answer} />
    </>
  );
}

const wholeNumber = (value: number) => value.toLocaleString("en-US");

function Pages({ query, answer }: { query: TransactionQuery; answer: TransactionsAnswer }) {
  const { offset, total, transactions } = answer;
  const next = offset + transactions.length;
  if (offset === 0 && next >= total) return null;
  const to = (offset: number) => `${ledgerPath(query, { offset })}#transactions`;
  return (
    <nav class="ledger-pages" aria-label="Pages of transactions">
      {offset > 0 && (
        <a class="button small" rel="prev" href={to(Math.max(0, offset - query.limit))}>← Newer</a>
      )}
      {next < total && <a class="button small" rel="next" href={to(next)}>Older →</a>}
    </nav>
  );
}
