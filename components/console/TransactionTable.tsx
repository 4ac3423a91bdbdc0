import type { Transaction } from "../../lib/bank/mod.ts";
import { clockText, dayText } from "../../lib/console/times.ts";
import { dollars, wordsOf } from "../../lib/console/words.ts";

/**
 * An account's transactions, the newest first. On a narrow screen a row takes two lines; the roles
 * keep it a table there.
 */
export function TransactionTable(
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
        <time datetime={created_at}>{dayText(created_at)}</time>{" "}
        <small>{clockText(created_at)}</small>
      </td>
      <td role="cell" class="who">
        {counterparty || "Not named"}
        <small>{[wordsOf(kind), note].filter(Boolean).join(" · ")}</small>
      </td>
      <td role="cell" class="how">
        <span class={status === "sent" ? "settled" : `pill ${TONES[status] ?? ""}`}>
          {wordsOf(status)}
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
