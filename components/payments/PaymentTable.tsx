import {
  formatMoney,
  PAGE_SIZE,
  type Payment,
  type PaymentList,
  paymentList,
  paymentPath,
  type PaymentQuery,
  type PaymentStatus,
  STATUS_LABELS,
  statusOf,
} from "../../lib/features/payments/mod.ts";
import { formatClock, formatCount, formatDay } from "../../lib/base/time.ts";
import { DownloadLink, ListBar, Pager } from "../Pager.tsx";
import { StateNote } from "../StateNote.tsx";

interface TableProps {
  query: PaymentQuery;
  list: PaymentList;
}

/** A page of payments, with links to the other pages and to download all that match. */
export function PaymentTable({ query, list }: TableProps) {
  const { payments, count } = list;
  if (payments.length === 0) {
    return (
      <StateNote kind="empty" title={count === 0 ? "No payments" : "Nothing on this page"}>
        <p>
          {count > 0
            ? <a href={paymentList.href(query)}>Go to the first page.</a>
            : paymentList.isFiltered(query)
            ? <a href="/console/payments">Clear the filters to see all payments.</a>
            : "The next payment that the provider reports appears here."}
        </p>
      </StateNote>
    );
  }
  const first = (query.page - 1) * PAGE_SIZE + 1;
  const span = `${formatCount(first)} to ${formatCount(first + payments.length - 1)}`;
  const shown = `${span} of ${formatCount(count)}${list.truncated ? " or more" : ""}`;
  return (
    <section id="list" aria-labelledby="list-title">
      <h2 id="list-title" class="visually-hidden">Payments</h2>
      <ListBar shown={`${shown}, newest first`}>
        <DownloadLink href={paymentList.href(query, { format: "csv" })} />
      </ListBar>
      <table class="dense-table stacked payment-table">
        <caption class="visually-hidden">{shown}</caption>
        <thead>
          <tr>
            <th scope="col" class="amount digits">Amount</th>
            <th scope="col" class="status">Status</th>
            <th scope="col" class="what">Description</th>
            <th scope="col" class="record">Record</th>
            <th scope="col" class="when digits">Date</th>
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => <Row key={payment.id} payment={payment} />)}
        </tbody>
      </table>
      <Pages {...{ query, list }} />
    </section>
  );
}

function Row({ payment }: { payment: Payment }) {
  const { id, amount, refunded, currency, description, record, payer, created_at } = payment;
  const status = statusOf(payment);
  return (
    <tr class={status === "succeeded" ? undefined : "unsettled"}>
      <td class="amount digits ink mono">
        {formatMoney(amount, currency)} <span class="code muted">{currency}</span>
      </td>
      <td class="status">
        <StatusPill status={status} />
        {status === "partially_refunded" && (
          <span class="visually-hidden">, {formatMoney(refunded, currency)}</span>
        )}
      </td>
      <td class="what" title={description ?? id}>
        <a class="ink" href={paymentPath(id)}>{description ?? <span class="mono">{id}</span>}</a>
        {payer && (
          <>
            <small class="block muted">{payer.name ?? payer.email}</small>
          </>
        )}
      </td>
      <td class="record">
        {record === null
          ? ""
          : (
            <a href={`/console/records/${record}`} aria-label={`Record ${record.slice(0, 8)}`}>
              <span class="mono">{record.slice(0, 8)}…</span>
            </a>
          )}
      </td>
      <td class="when muted digits">
        <time datetime={created_at}>
          {formatDay(created_at)}
          <span class="clock">, {formatClock(created_at)}</span>
        </time>
      </td>
    </tr>
  );
}

const TONES: Record<PaymentStatus, string> = {
  succeeded: "good",
  pending: "warn",
  failed: "bad",
  cancelled: "",
  refunded: "",
  partially_refunded: "",
};

export const StatusPill = ({ status }: { status: PaymentStatus }) => (
  <span class={`pill ${TONES[status]}`.trim()}>{STATUS_LABELS[status]}</span>
);

function Pages({ query, list: { count } }: TableProps) {
  const { page } = query;
  const last = Math.ceil(count / PAGE_SIZE);
  const to = (page: number) => `${paymentList.href(query, { page })}#list`;
  return (
    <Pager
      label="Pages of payments"
      previous={page > 1 ? { href: to(page - 1), text: "Previous" } : null}
      next={page < last ? { href: to(page + 1), text: "Next" } : null}
    >
      Page {page} of {last}
    </Pager>
  );
}
