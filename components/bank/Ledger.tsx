/**
 * The transactions of an account, which scripts page without loading the page again.
 *
 * @module
 */
import type { Transaction } from "../../lib/features/bank/mod.ts";
import type { Ledger as LedgerData } from "../../lib/features/bank/console/ledger.ts";
import {
  ledgerPath,
  type TypedFilters,
  withoutFilters,
} from "../../lib/features/bank/console/ledger_path.ts";
import { pageNumbers } from "../../lib/features/bank/console/page_numbers.ts";
import { formatCount } from "../../lib/base/time.ts";
import { StateNote } from "../StateNote.tsx";
import { DownloadLink, Pager } from "../Pager.tsx";
import { Table } from "../Table.tsx";
import { TRANSACTION_COLUMNS } from "./transaction_columns.tsx";

interface LedgerProps {
  ledger: LedgerData;
  path: string;
  typed: TypedFilters;
  /** The id of the transaction whose details are open, or an empty text. */
  shown: string;
  filtered: boolean;
  onPage: (event: MouseEvent) => void;
  onOpen: (event: MouseEvent, id: string) => void;
}

/** A page of transactions, with links to the other pages and to the CSV file of all matches. */
export function Ledger(props: LedgerProps) {
  const { ledger: { rows, offset, count, gap }, path, typed, filtered, onPage } = props;
  const [first, last, all] = [offset + 1, offset + rows.length, count].map(formatCount);
  return (
    <section id="transactions" aria-labelledby="transactions-title">
      <div class="wrap middle apart ledger-bar below-2 gap-2-4">
        <h2 class="flush text-large" id="transactions-title" tabindex={-1}>Transactions</h2>
        <p class="flush muted text-small" role="status">
          {rows.length === 0
            ? count === 0 ? "None" : `None of ${all} on this page`
            : `${first} to ${last} of ${all}${gap === null ? "" : " or more"}, newest first`}
        </p>
        {count > 0 && (
          <DownloadLink href={ledgerPath(path, typed, { format: "csv" })} filtered={filtered} />
        )}
      </div>
      {rows.length === 0
        ? (
          <StateNote kind="empty" title={count === 0 ? "No transactions" : "Nothing on this page"}>
            {count > 0
              ? (
                <p>
                  <a href={ledgerPath(path, typed)} aria-current="false" onClick={onPage}>
                    Go to the first page.
                  </a>
                </p>
              )
              : filtered
              ? (
                <p>
                  No transactions in these dates match the filters.{" "}
                  <a
                    href={ledgerPath(path, withoutFilters(typed))}
                    aria-current="false"
                    onClick={onPage}
                  >
                    Clear the filters.
                  </a>
                </p>
              )
              : <p>The account has no transactions in these dates. Choose a longer period.</p>}
          </StateNote>
        )
        : (
          <>
            <TransactionTable {...props} caption={`${first} to ${last} of ${all}`} />
            <Pages {...props} />
          </>
        )}
    </section>
  );
}

function Pages({ ledger: { offset, limit, count }, path, typed, onPage }: LedgerProps) {
  const page = Math.floor(offset / limit) + 1;
  const last = Math.max(page, Math.ceil(count / limit));
  if (last === 1) return null;
  const to = (page: number) => ({
    href: `${ledgerPath(path, typed, { offset: (page - 1) * limit })}#transactions`,
    onClick: onPage,
  });
  return (
    <Pager
      label="Pages of transactions"
      previous={page > 1 ? { ...to(page - 1), text: "Previous" } : null}
      next={page < last ? { ...to(page + 1), text: "Next" } : null}
    >
      <ol class="plain flex wraps gap-1">
        {pageNumbers(page, last).map((number, i) => (
          <li key={number ?? `gap-${i}`}>
            {number === null ? <span aria-hidden="true">…</span> : (
              <a
                {...to(number)}
                aria-label={`Page ${number}`}
                aria-current={number === page ? "page" : "false"}
              >
                {formatCount(number)}
              </a>
            )}
          </li>
        ))}
      </ol>
    </Pager>
  );
}

function TransactionTable(
  { caption, ledger: { rows, offset }, path, typed, shown, onOpen }: LedgerProps & {
    caption: string;
  },
) {
  const list = ledgerPath(path, typed, { offset }); // has dates in its query
  const hrefOf = (id: string) => `${list}&transaction=${encodeURIComponent(id)}#transaction`;
  const rowOf = ({ id, state }: Transaction) =>
    [id === shown && "open", state !== "settled" && "unsettled"].filter(Boolean).join(" ") ||
    undefined;
  return (
    <Table
      class="dense-table stacked ledger-table"
      columns={TRANSACTION_COLUMNS}
      shown={["created_at", "counterparty", "kind", "status", "amount"]}
      items={rows}
      keyOf={({ id }) => id}
      view={{ shown, hrefOf, onOpen }}
      {...{ caption, rowOf }}
    />
  );
}
