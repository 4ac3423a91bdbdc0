/** The console's page of a payment, with its details and history. */
import {
  formatMoney,
  type HistoryEvent,
  payerText,
  type Payment,
  type PaymentStatus,
  STATUS_LABELS,
  statusOf,
} from "../../lib/features/payments/mod.ts";
import { Time } from "../Time.tsx";
import { StatusPill } from "./payment_columns.tsx";
import { PageHead } from "../console_parts.tsx";

interface PaymentPageProps {
  payment: Payment;
  /** The newest first. */
  history: readonly HistoryEvent[];
}

/** One payment: who paid, what for, and each event that the provider reported. */
export function PaymentPage({ payment, history }: PaymentPageProps) {
  const { id, amount, refunded, currency, description, record, payer, erased } = payment;
  const money = (minor: number) => formatMoney(minor, currency);
  return (
    <>
      <PageHead
        title={`Payment of ${money(amount)}`}
        lead={
          <>
            <StatusPill status={statusOf(payment)} /> {MEANINGS[statusOf(payment)]}
          </>
        }
      />
      <section class="card below-5" aria-labelledby="facts-title">
        <h2 id="facts-title">Details</h2>
        <dl class="facts">
          <dt>Amount</dt>
          <dd class="mono">{money(amount)} {currency}</dd>
          {refunded > 0 && (
            <>
              <dt>Refunded</dt>
              <dd class="mono">{money(refunded)}</dd>
              <dt>Net</dt>
              <dd class="mono">{money(amount - refunded)}</dd>
            </>
          )}
          <dt>Payer</dt>
          <dd class="anywhere">
            {payer ? payerText(payer) : erased ? "Erased with the record" : "Not reported"}
          </dd>
          <dt>Record</dt>
          <dd>
            {record === null
              ? (erased ? "Deleted" : "None")
              : (
                <a href={`/console/records/${record}`}>
                  Record <code>{record.slice(0, 8)}…</code>
                </a>
              )}
          </dd>
          <dt>Description</dt>
          <dd class="anywhere">{description ?? "–"}</dd>
          <dt>Created</dt>
          <dd>
            <Time at={payment.created_at} />
          </dd>
          <dt>Reference at the provider</dt>
          <dd class="anywhere">
            <code>{id}</code>
          </dd>
        </dl>
      </section>
      <Timeline payment={payment} history={history} />
    </>
  );
}

/** The meaning of each status for the organisation. */
const MEANINGS: Record<PaymentStatus, string> = {
  succeeded: "The payer has paid.",
  pending: "The payment has started. The provider will report the outcome.",
  failed: "The payment was refused. The payer can try again.",
  cancelled: "The payment was cancelled. No money was taken.",
  refunded: "All of it was refunded to the payer.",
  partially_refunded: "The payer has paid, and part of it was refunded.",
};

function Timeline({ payment: { currency }, history }: PaymentPageProps) {
  return (
    <section class="card" aria-labelledby="timeline-title">
      <h2 id="timeline-title">Timeline</h2>
      <p class="note">What the payment provider reported, the newest first.</p>
      <ol class="plain payment-timeline">
        {history.map((event) => (
          <li class="stack gap-1" key={`${event.at} ${event.type} ${event.received_at}`}>
            <span class="cluster wraps gap-1-3">
              <b>{titleOf(event, currency)}</b>
              {event.late && <span class="pill">Arrived late</span>}
              {!event.applied && <span class="pill">Changed nothing</span>}
            </span>
            <span class="muted text-small">
              <Time at={event.at} />
              {event.received_at !== null && event.late && (
                <>
                  , received <Time at={event.received_at} />
                </>
              )}{" "}
              <small>
                <code>{event.type}</code>
              </small>
            </span>
            {event.late && (
              <span class="muted text-small">
                This report arrived after reports of later events.
              </span>
            )}
          </li>
        ))}
      </ol>
      {history.every(({ received_at }) => received_at === null) && (
        <p class="note">
          Only the reports that set the status and the refund of this payment were kept.
        </p>
      )}
    </section>
  );
}

/** Returns what an event reports: `Succeeded, $125.00` or `Refunded $20.00 of $125.00`. */
function titleOf({ state, amount, refunded }: HistoryEvent, currency: string): string {
  const money = (minor: number) => formatMoney(minor, currency);
  if (refunded !== null && refunded > 0) {
    return `Refunded ${money(refunded)} of ${money(amount)}`;
  }
  return `${STATUS_LABELS[state]}, ${money(amount)}`;
}
