import { type PaymentFilters, STATUS_LABELS, STATUSES } from "../../lib/features/payments/mod.ts";
import { ChoiceFilter, DateFilter, FilterForm, type FilterProps } from "../console/filters.tsx";
import { Field } from "../Field.tsx";

/** The filters of the payments page. */
export function PaymentFilterForm(
  { filters, currencies }: { filters: PaymentFilters; currencies: readonly string[] },
) {
  const { currency } = filters.typed;
  const choices = currency === "" || currencies.includes(currency)
    ? currencies
    : [...currencies, currency];
  return (
    <FilterForm path="/console/payments" kind="payment-filters" filters={filters} page="page">
      {(filter) => (
        <>
          <ChoiceFilter
            {...filter("status")}
            label="Status"
            any="All"
            choices={STATUSES.map((status) => [status, STATUS_LABELS[status]])}
          />
          <DateFilter {...filter("from")} label="From" />
          <DateFilter {...filter("to")} label="To" />
          <AmountFilter {...filter("min")} label="Minimum" />
          <AmountFilter {...filter("max")} label="Maximum" />
          {(choices.length > 1 || currency !== "") && (
            <ChoiceFilter
              {...filter("currency")}
              label="Currency"
              any="All"
              choices={choices.map((code) => [code, code])}
            />
          )}
        </>
      )}
    </FilterForm>
  );
}

const AmountFilter = ({ name, label, value, problem }: FilterProps) => (
  <Field name={name} label={label} problem={problem}>
    {(control) => (
      <input {...control} type="text" inputmode="decimal" autocomplete="off" value={value} />
    )}
  </Field>
);
