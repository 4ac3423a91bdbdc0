import { type PaymentFilters, STATUS_LABELS, STATUSES } from "../../lib/payments/mod.ts";
import { ChoiceFilter, DateFilter, FilterActions } from "../console/filters.tsx";
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
  const amount = (value: string) => (control: ControlProps) => (
    <input {...control} type="text" inputmode="decimal" autocomplete="off" value={value} />
  );
  const filtered = Object.values(typed).some((value) => value !== "");
  return (
    <form
      class="ledger-filters payment-filters"
      method="get"
      action="/console/payments"
      aria-label="Filters"
      autocomplete="off"
    >
      <FilterToggle open={filtered} />
      <ChoiceFilter
        name="status"
        label="Status"
        value={typed.status}
        problem={issues.status}
        any="All"
        choices={STATUSES.map((status) => [status, STATUS_LABELS[status]])}
      />
      <DateFilter name="from" label="From" value={typed.from} problem={issues.from} />
      <DateFilter name="to" label="To" value={typed.to} problem={issues.to} />
      <Field name="min" label="Minimum" problem={issues.min}>{amount(typed.min)}</Field>
      <Field name="max" label="Maximum" problem={issues.max}>{amount(typed.max)}</Field>
      {(choices.length > 1 || currency !== "") && (
        <ChoiceFilter
          name="currency"
          label="Currency"
          value={currency}
          problem={issues.currency}
          any="All"
          choices={choices.map((code) => [code, code])}
        />
      )}
      <FilterActions path="/console/payments" filtered={filtered} />
      {issues.page !== undefined && <p class="problem" role="alert">Page: {issues.page}</p>}
    </form>
  );
}
