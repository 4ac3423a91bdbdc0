import { type PaymentFilters, STATUS_LABELS, STATUSES } from "../../lib/payments/mod.ts";
import { isDay } from "../../lib/time.ts";
import { FilterToggle } from "../console/parts.tsx";
import { type ControlProps, Field } from "../Field.tsx";

/** The filters of the payments page. Invalid values stay as typed, with the issue next to them. */
export function PaymentFilterForm(
  { filters, currencies }: { filters: PaymentFilters; currencies: readonly string[] },
) {
  const { typed } = filters;
  const issues: Partial<typeof typed> = "issues" in filters ? filters.issues : {};
  const { currency } = typed;
  const choices = currency === "" || currencies.includes(currency)
    ? currencies
    : [...currencies, currency];
  // A date field would drop an invalid value.
  const date = (value: string) => (control: ControlProps) => (
    <input {...control} type={value === "" || isDay(value) ? "date" : "text"} value={value} />
  );
  const amount = (value: string) => (control: ControlProps) => (
    <input {...control} type="text" inputmode="decimal" autocomplete="off" value={value} />
  );
  return (
    <form
      class="ledger-filters payment-filters"
      method="get"
      action="/console/payments"
      aria-label="Filters"
      autocomplete="off"
    >
      <FilterToggle open={Object.values(typed).some((value) => value !== "")} />
      <Field name="status" label="Status" problem={issues.status}>
        {(control) => (
          <select {...control}>
            <option value="">All</option>
            {STATUSES.map((status) => (
              <option key={status} value={status} selected={status === typed.status}>
                {STATUS_LABELS[status]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="from" label="From" problem={issues.from}>{date(typed.from)}</Field>
      <Field name="to" label="To" problem={issues.to}>{date(typed.to)}</Field>
      <Field name="min" label="Minimum" problem={issues.min}>{amount(typed.min)}</Field>
      <Field name="max" label="Maximum" problem={issues.max}>{amount(typed.max)}</Field>
      {(choices.length > 1 || currency !== "") && (
        <Field name="currency" label="Currency" problem={issues.currency}>
          {(control) => (
            <select {...control}>
              <option value="">All</option>
              {choices.map((code) => (
                <option key={code} value={code} selected={code === currency}>{code}</option>
              ))}
            </select>
          )}
        </Field>
      )}
      <div class="ledger-actions">
        <button type="submit" class="button">Apply</button>
        {Object.values(typed).some((value) => value !== "") && (
          <a class="button quiet" href="/console/payments">Clear</a>
        )}
      </div>
      {issues.page !== undefined && <p class="problem" role="alert">Page: {issues.page}</p>}
    </form>
  );
}
