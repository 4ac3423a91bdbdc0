import type { Transaction, TransactionQuery, TransactionsResponse } from "../../lib/bank/mod.ts";
import { dollars, labelOf } from "../../lib/console/labels.ts";
import { ledgerPath } from "../../lib/console/ledger_filters.ts";
import { formatClock, formatDay } from "../../lib/time.ts";
import { StateNote } from "../StateNote.tsx";
import { Icon } from "./parts.tsx";

interface LedgerProps {
  query: TransactionQuery;
  page: TransactionsResponse;
}

/** A page of transactions, with links to the other pages and to download its rows. */
export function Ledger({ query, page }: LedgerProps) {
  const { total, offset, transactions } = page;
  if (transactions.length === 0) {
    return (
      <StateNote kind="empty" title={total === 0 ? "No transactions" : "Nothing on this page"}>
        <p>
          {total === 0
            ? "The account has no transactions that match these filters."
            : <a href={ledgerPath(query, { offset: 0 })}>Go to the first page.</a>}
        </p>
      </StateNote>
    );
  }
  const [first, last, all] = [offset + 1, offset + transactions.length, total].map(formatCount);
  return (
    <>
      <div class="ledger-bar">
        <p>{first} to {last} of {all}, newest first</p>
        {/* Without `download`, because if the session has ended or the bank fails, the response is a page. */}
        <a class="button small" href={ledgerPath(query, { format: "csv" })}>
          <Icon name="download" />
          Download these rows (CSV)
        </a>
      </div>
      <TransactionTable transactions={transactions} caption={`${first} to ${last} of ${all}`} />
      <Pages query={query} page={page} />
    </>
  );
}

const formatCount = (value: number) => value.toLocaleString("en-US");

function Pages({ query, page: { offset, total, transactions } }: LedgerProps) {
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

/** On narrow screens, the styles show each row as a block; the roles keep the table's semantics. */
function TransactionTable(
  { transactions, caption }: { transactions: Transaction[]; caption: string },
) {
  return (
    <table class="table ledger" role="table">
      <caption class="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader">Date</th>
          <th scope="col" role="columnheader">Counterparty</th>
          <th scope="col" role="columnheader">Status</th>
          <th scope="col" role="columnheader" class="figure-cell">Amount</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {transactions.map((transaction) => <Row key={transaction.id} {...transaction} />)}
      </tbody>
    </table>
  );
}

function Row({ created_at, amount, counterparty, kind, status, note }: Transaction) {
  return (
    <tr role="row" class={status === "sent" ? undefined : "unsettled"}>
      <td role="cell" class="when">
        <time datetime={created_at}>{formatDay(created_at)}</time>{" "}
        <small>{formatClock(created_at)}</small>
      </td>
      <td role="cell" class="who">
        {counterparty || "Not named"}
        <small>{[labelOf(kind), note].filter(Boolean).join(" · ")}</small>
      </td>
      <td role="cell" class="how">
        <span class={status === "sent" ? "settled" : `pill ${TONES[status] ?? ""}`}>
          {labelOf(status)}
        </span>
      </td>
      <td role="cell" class={amount > 0 ? "figure-cell into" : "figure-cell"}>
        {amount > 0 ? "+" : ""}
        {dollars(amount)}
      </td>
    </tr>
  );
}

const TONES: Record<string, string> = { pending: "warn", failed: "bad", blocked: "bad" };
