/**
 * The page of an organisation’s payments: totals, the chart by day, and the list.
 *
 * @module
 */
import {
  dailyChart,
  formatMoney,
  PAGE_SIZE,
  type Payment,
  type PaymentFilters,
  type PaymentList,
  paymentList,
  type PaymentQuery,
  statusOf,
} from "../../lib/features/payments/mod.ts";
import { secretVariable } from "../../lib/features/payments/variables.ts";
import type { OrganisationKey } from "../../lib/platform/surfaces/mod.ts";
import { formatCount, plural } from "../../lib/base/time.ts";
import { Chart } from "../chart/Chart.tsx";
import { PageHead, Total } from "../console_parts.tsx";
import { StateNote } from "../StateNote.tsx";
import { type Listed, ListPage, tableOf } from "../ListPage.tsx";
import { PAYMENT_COLUMNS } from "./payment_columns.tsx";

/** The connection to the payment provider. */
export interface PaymentSetup {
  organisation: OrganisationKey;
  /** The URL of the webhook; null if the console is not served. */
  webhook: string | null;
  open: boolean;
}

export interface PaymentsPageProps {
  filters: PaymentFilters;
  /** Null if the filters are invalid. */
  list: PaymentList | null;
  setup: PaymentSetup;
}

/** The payments of an organisation: totals, the chart by day, filters and the table. */
export function PaymentsPage({ filters, list, setup }: PaymentsPageProps) {
  if (list !== null && !list.any) {
    return (
      <>
        <PageHead title="Payments" />
        <NoPayments {...setup} />
      </>
    );
  }
  return (
    <>
      <PageHead title="Payments" />
      {!setup.open && (
        <p class="note">
          New payments do not appear here, because the payment provider is not connected. Whoever
          runs the server connects it with <code>{secretVariable(setup.organisation)}</code>.
        </p>
      )}
      <ListPage
        list={paymentList}
        filters={filters}
        class="payment-filters"
        choices={{ currency: currencyChoices(list, filters.typed.currency) }}
        page={list && filters.query && listed(filters.query, list)}
      />
    </>
  );
}

function listed(query: PaymentQuery, list: PaymentList): Listed {
  const { payments, count, skipped, truncated } = list;
  const span = `${formatCount(skipped + 1)} to ${formatCount(skipped + payments.length)}`;
  const shown = `${span} of ${formatCount(count)}${truncated ? " or more" : ""}`;
  const place = (payment: Payment) => ({ at: payment.created_at, id: payment.id });
  return {
    above: <Totals list={list} filtered={paymentList.isFiltered(query)} />,
    title: "Payments",
    empty: <NothingHere query={query} count={count} />,
    shown: `${shown}, newest first`,
    exports: true,
    items: tableOf({
      class: "dense-table stacked payment-table",
      caption: shown,
      columns: PAYMENT_COLUMNS,
      shown: ["amount", "status", "description", "record", "created_at"],
      items: payments,
      keyOf: ({ id }) => id,
      rowOf: (payment) => statusOf(payment) === "succeeded" ? undefined : "unsettled",
      view: null,
    }),
    pages: payments.length === 0 ? null : {
      label: "Pages of payments",
      hash: "#list",
      previous: skipped === 0 ? null : {
        to: skipped > PAGE_SIZE ? { before: place(payments[0]) } : {},
        text: "Previous",
      },
      next: skipped + payments.length < count
        ? { to: { after: place(payments.at(-1)!) }, text: "Next" }
        : null,
      children: `Page ${Math.floor(skipped / PAGE_SIZE) + 1} of ${Math.ceil(count / PAGE_SIZE)}`,
    },
  };
}

const NothingHere = ({ query, count }: { query: PaymentQuery; count: number }) => (
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

/** Returns the currencies that occur, and the chosen one. There is nothing to choose from a single one. */
function currencyChoices(list: PaymentList | null, chosen: string): [string, string][] {
  const found = list?.totals.map(({ currency }) => currency) ?? [];
  const all = chosen === "" || found.includes(chosen) ? found : [...found, chosen];
  return all.length > 1 || chosen !== "" ? all.map((code) => [code, code]) : [];
}

function Totals({ list: { totals, truncated }, filtered }: {
  list: PaymentList;
  filtered: boolean;
}) {
  const [first, ...others] = totals;
  if (first === undefined) return null;
  const { currency, received, refunded } = first;
  const money = (amount: number) => formatMoney(amount, currency);
  const hasChart = first.days.size > 0;
  return (
    <section class="card payment-totals gap-4 below-5" aria-labelledby="totals-title">
      <h2 id="totals-title" class="visually-hidden">Totals</h2>
      <div class="wrap payment-figures">
        <Total label="Received" figure={money(received)} />
        <Total label="Refunded" figure={money(refunded)} />
        <Total label="Net" figure={money(received - refunded)} />
      </div>
      {hasChart && (
        <Chart
          type="bar"
          data={dailyChart(first)}
          options={{ currency, label: "Payments by day" }}
          height={220}
          timeRange
          datePicker
          accumulative
        />
      )}
      <p class="note">
        The totals include all payments that succeeded{filtered && " and match the filters"}, from
        the first to the last one, in {currency}. {hasChart &&
          "The chart shows the same by day (UTC), for the days that you choose above it."}
        {others.map(({ currency, count, received, refunded }) => (
          <>
            {" "}
            In {currency}: {plural(count, "payment")}, {formatMoney(received - refunded, currency)}
            {" "}
            net.
          </>
        ))}
        {truncated &&
          " There are too many payments to include the oldest ones. Choose a shorter period."}
      </p>
    </section>
  );
}

/** Says what to expect before the first payment, with the steps for whoever runs the server. */
function NoPayments({ organisation, webhook, open }: PaymentSetup) {
  return (
    <StateNote kind="empty" title="No payments yet">
      <p>
        {open
          ? "The payment provider is connected. Each payment appears here as soon as the provider " +
            "reports it."
          : "The payment provider is not connected yet. Once it is, each payment appears " +
            "here automatically. Whoever runs the server can connect it:"}
      </p>
      <details class="setup payment-setup above-3" open={!open}>
        <summary>
          {open ? "How the provider is connected" : "Steps to connect the provider"}
        </summary>
        <ol>
          <li>
            At your payment provider, add a webhook, which is an address that it reports payments to
            {webhook !== null && (
              <>
                : <code>{webhook}</code>
              </>
            )}. Choose the events of payment intents and charges.
          </li>
          {!open && (
            <li>
              Set <code>{secretVariable(organisation)}</code>{" "}
              to the webhook’s signing secret, which the provider shows, and restart the site.
            </li>
          )}
          <li>
            To see a payment on the page of a record, let your shop add the record’s hash to the
            payment’s metadata, as <code>record</code>.
          </li>
        </ol>
      </details>
    </StateNote>
  );
}
