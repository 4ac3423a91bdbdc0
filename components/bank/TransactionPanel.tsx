/** The details of one transaction on the page of a bank account. */
import type { ComponentChildren, RefObject } from "preact";
import type { Transaction } from "../../lib/features/bank/mod.ts";
import { labelOf, signed } from "../../lib/features/bank/console/labels.ts";
import { ledgerPath, type TypedFilters } from "../../lib/features/bank/console/ledger_path.ts";
import { TransactionStatus } from "./transaction_columns.tsx";
import { Time } from "../Time.tsx";

interface PanelProps {
  id: string;
  /** Null if it is outside the dates. */
  transaction: Transaction | null;
  path: string;
  typed: TypedFilters;
  offset: number;
  busy: boolean;
  onClose: (event: MouseEvent) => void;
  focusRef: RefObject<HTMLElement>;
}

/** A panel next to the list or, on narrower screens and in print, a page instead of it. */
export function TransactionPanel(props: PanelProps) {
  const { id, transaction, path, typed, offset, busy, onClose, focusRef } = props;
  return (
    <section
      id="transaction"
      class="card transaction gap-3"
      aria-labelledby="transaction-title"
      tabindex={-1}
      ref={focusRef}
    >
      <p class="transaction-close text-small">
        <a
          href={`${ledgerPath(path, typed, { offset })}#transactions`}
          aria-current="false"
          onClick={onClose}
        >
          <span class="beside">Close</span>
          <span class="alone">← All transactions</span>
        </a>
      </p>
      {transaction !== null
        ? <Details {...transaction} />
        : busy
        ? <h2 id="transaction-title">Loading…</h2>
        : (
          <>
            <h2 id="transaction-title">Transaction not found</h2>
            <p>
              No transaction with this ID was found between the dates above.{" "}
              <a
                href={ledgerPath(path, { ...typed, start: "", end: "" }, { transaction: id })}
                aria-current="false"
              >
                Search the whole history.
              </a>
            </p>
          </>
        )}
    </section>
  );
}

function Details(transaction: Transaction) {
  const { id, amount, counterparty, kind, note, created_at, posted_at } = transaction;
  const { description, memo, expected_at, failed_at, failure_reason, bank_url } = transaction;
  return (
    <>
      <h2 id="transaction-title">{counterparty || "Not named"}</h2>
      <p class="figure">{signed(amount)}</p>
      <dl class="facts transaction-facts">
        <Fact label="Status">
          <TransactionStatus {...transaction} />
        </Fact>
        <Fact label="Kind">{labelOf(kind)}</Fact>
        <Fact label="Created">
          <Time at={created_at} />
        </Fact>
        {posted_at !== null && (
          <Fact label="Posted">
            <Time at={posted_at} />
          </Fact>
        )}
        {posted_at === null && failed_at === null && expected_at !== null && (
          <Fact label="Expected">
            <Time at={expected_at} day />
          </Fact>
        )}
        {failed_at !== null && (
          <Fact label="Failed">
            <Time at={failed_at} />
          </Fact>
        )}
        {failure_reason !== null && <Fact label="Reason">{failure_reason}</Fact>}
        {note !== null && <Fact label="Note">{note}</Fact>}
        {memo !== null && <Fact label="Memo">{memo}</Fact>}
        {description !== null && <Fact label="Statement">{description}</Fact>}
        <Fact label="ID">
          <span class="mono">{id}</span>
        </Fact>
      </dl>
      {bank_url !== null && (
        <p>
          <a href={bank_url} target="_blank" rel="noreferrer">Open at the bank ↗</a>
        </p>
      )}
    </>
  );
}

const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
);
