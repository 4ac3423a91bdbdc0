import {
  formatMoney,
  type Payment,
  paymentPath,
  statusOf,
} from "../../lib/features/payments/mod.ts";
import { StatusPill } from "./payment_columns.tsx";
import { Time } from "../Time.tsx";

/** The latest payments that reference a record. Renders nothing if there are none. */
export function RecordPayments({ payments }: { payments: readonly Payment[] }) {
  if (payments.length === 0) return null;
  return (
    <section class="card" aria-labelledby="payments-title">
      <h2 id="payments-title">Payments</h2>
      <ul class="record-payments">
        {payments.map((payment) => (
          <li class="cluster wraps gap-1-3" key={payment.id}>
            <a class="amount digits bold ink" href={paymentPath(payment.id)}>
              {formatMoney(payment.amount, payment.currency)}
            </a>
            <StatusPill status={statusOf(payment)} />
            <span class="muted text-small anywhere">
              <Time at={payment.created_at} day />
              {payment.description !== null && ` · ${payment.description}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
