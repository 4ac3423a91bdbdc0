import { z } from "zod";
import { type LedgerFilters, PAGE_SIZES } from "../../lib/console/ledger_filters.ts";
import { type ControlProps, Field } from "../Field.tsx";

/** What a date field shows; anything else it would drop, 30 February too. */
const day = z.iso.date().or(z.literal(""));

/** Which transactions to show. What cannot be used stays as it was typed, and is said to be so. */
export function LedgerFilterForm(
  { path, filters }: { path: string; filters: LedgerFilters },
) {
  const { typed } = filters;
  const issues = "issues" in filters ? filters.issues : {};
  const size = typed.limit || "50";
  const sizes = PAGE_SIZES.map(String);
  if (!sizes.includes(size)) sizes.push(size);
  const date = (value: string) => (control: ControlProps) => (
    <input {...control} type={day.safeParse(value).success ? "date" : "text"} value={value} />
  );
  return (
    <form class="ledger-filters" method="get" action={path} aria-label="Transactions">
      <Field name="start" label="From" problem={issues.start}>{date(typed.start)}</Field>
      <Field name="end" label="To" problem={issues.end}>{date(typed.end)}</Field>
      <Field name="limit" label="Page size" problem={issues.limit}>
        {(control) => (
          <select {...control}>
            {sizes.map((value) => (
              <option key={value} value={value} selected={value === size}>{value}</option>
            ))}
          </select>
        )}
      </Field>
      <div class="ledger-actions">
        <button type="submit" class="button">Show</button>
        {(typed.start || typed.end) && <a class="button quiet" href={path}>Clear</a>}
      </div>
      {issues.offset !== undefined && <p class="problem" role="alert">Page: {issues.offset}</p>}
    </form>
  );
}
