/**
 * The columns of the list of payments and of its export.
 *
 * @module
 */
import {
  decimalText,
  formatMoney,
  type Payment,
  paymentPath,
  type PaymentStatus,
  STATUS_LABELS,
  statusOf,
} from "../../lib/features/payments/mod.ts";
import { formatClock, formatDay } from "../../lib/base/time.ts";
import type { ListColumns } from "../Table.tsx";

/** The columns of the list of payments. */
export const PAYMENT_COLUMNS: ListColumns<Payment> = {
  created_at: {
    title: "Date",
    class: "when digits",
    look: "muted",
    cell: ({ created_at }) => (
      <time datetime={created_at}>
        {formatDay(created_at)}
        <span class="clock">, {formatClock(created_at)}</span>
      </time>
    ),
    value: ({ created_at }) => created_at,
  },
  amount: {
    title: "Amount",
    class: "amount digits",
    look: "ink mono",
    cell: ({ amount, currency }) => (
      <>
        {formatMoney(amount, currency)} <span class="code muted">{currency}</span>
      </>
    ),
    value: ({ amount, currency }) => decimalText(amount, currency),
  },
  refunded: { value: ({ refunded, currency }) => decimalText(refunded, currency) },
  currency: { value: ({ currency }) => currency },
  status: {
    title: "Status",
    class: "status",
    cell: (payment) => {
      const status = statusOf(payment);
      return (
        <>
          <StatusPill status={status} />
          {status === "partially_refunded" && (
            <span class="visually-hidden">
              , {formatMoney(payment.refunded, payment.currency)}
            </span>
          )}
        </>
      );
    },
    value: statusOf,
  },
  description: {
    title: "Description",
    class: "what",
    hint: ({ description, id }) => description ?? id,
    cell: ({ id, description, payer }) => (
      <>
        <a class="ink" href={paymentPath(id)}>{description ?? <span class="mono">{id}</span>}</a>
        {payer && <small class="block muted">{payer.name ?? payer.email}</small>}
      </>
    ),
    value: ({ description }) => description,
  },
  record: {
    title: "Record",
    class: "record",
    cell: ({ record }) =>
      record !== null && (
        <a href={`/console/records/${record}`} aria-label={`Record ${record.slice(0, 8)}`}>
          <span class="mono">{record.slice(0, 8)}…</span>
        </a>
      ),
    value: ({ record }) => record,
  },
  event_type: { value: ({ type }) => type },
  id: { value: ({ id }) => id },
  payer_name: { value: ({ payer }) => payer?.name ?? null },
  payer_email: { value: ({ payer }) => payer?.email ?? null },
};

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
