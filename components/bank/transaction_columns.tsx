/**
 * The columns of lists of transactions, and of the export of an account.
 *
 * @module
 */
import type { Transaction } from "../../lib/features/bank/mod.ts";
import { labelOf, signed, statusOf } from "../../lib/features/bank/console/labels.ts";
import { formatClock, formatDay } from "../../lib/base/time.ts";
import type { Column, ListColumns } from "../Table.tsx";

/** The rest of the data that cells depend on. */
export interface LedgerView {
  /** The id of the transaction whose details are open, or an empty text. */
  shown: string;
  /** Returns the URL of a transaction's details. */
  hrefOf(id: string): string;
  onOpen: (event: MouseEvent, id: string) => void;
}

/** How lists of transactions show time and amount. */
export const TIME: Column<Pick<Transaction, "created_at">> = {
  title: "Date",
  class: "when digits",
  cell: ({ created_at }) => (
    <time datetime={created_at}>
      {formatDay(created_at)}
      <span class="clock">, {formatClock(created_at)}</span>
    </time>
  ),
};
export const AMOUNT: Column<Pick<Transaction, "amount">> = {
  title: "Amount",
  class: "amount",
  look: ({ amount }) => amount > 0 ? "into" : "",
  cell: ({ amount }) => signed(amount),
};
export const KIND: Column<Pick<Transaction, "kind">> = {
  title: "Kind",
  class: "what",
  cell: ({ kind }) => labelOf(kind),
};

/** The columns of an account's transactions. */
export const TRANSACTION_COLUMNS: ListColumns<Transaction, LedgerView> = {
  created_at: { ...TIME, value: ({ created_at }) => created_at },
  posted_at: { value: ({ posted_at }) => posted_at },
  amount: { ...AMOUNT, value: ({ amount }) => amount },
  counterparty: {
    title: "Counterparty",
    class: "who",
    cell: ({ id, counterparty, note }, { shown, hrefOf, onOpen }) => (
      <>
        <a
          href={hrefOf(id)}
          class="row-link covers ink"
          data-transaction={id}
          aria-current={id === shown ? "true" : "false"}
          onClick={(event) => onOpen(event, id)}
        >
          {counterparty || "Not named"}
        </a>
        {note !== null && <small>{note}</small>}
      </>
    ),
    value: ({ counterparty }) => counterparty,
  },
  kind: { ...KIND, value: ({ kind }) => kind },
  status: {
    title: "Status",
    class: "how",
    cell: (transaction) => <TransactionStatus {...transaction} />,
    value: statusOf,
  },
  note: { value: ({ note }) => note },
  description: { value: ({ description }) => description },
  memo: { value: ({ memo }) => memo },
  id: { value: ({ id }) => id },
};

export const TransactionStatus = (transaction: Parameters<typeof statusOf>[0]) => (
  <span class={CLASSES[transaction.state]}>{labelOf(statusOf(transaction))}</span>
);

const CLASSES: Record<Transaction["state"], string> = {
  settled: "settled",
  pending: "pill warn",
  failed: "pill bad",
  undone: "pill",
  unknown: "pill",
};
