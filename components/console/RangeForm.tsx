import { useEffect } from "preact/hooks";
import type { LedgerFilters, RangePreset } from "../../lib/console/ledger_filters.ts";
import { isDay } from "../../lib/time.ts";
import { type ControlProps, Field } from "../Field.tsx";

export interface RangeFormProps {
  path: string;
  typed: LedgerFilters["typed"];
  /** The issue of each invalid field. */
  issues: Partial<LedgerFilters["typed"]>;
  presets: RangePreset[];
  pageSizes: number[];
}

/**
 * The date range of an account's page. Invalid values stay as typed, with the error next to them.
 * With scripts, the page keeps its scroll position when the range changes.
 */
export function RangeForm({ path, typed, issues, presets, pageSizes }: RangeFormProps) {
  useEffect(reloadOnHistory, []);

  const size = typed.limit || "50";
  const sizes = pageSizes.map(String);
  if (!sizes.includes(size)) sizes.push(size);
  // A date field would drop any invalid value, including 30 February.
  const date = (value: string) => (control: ControlProps) => (
    <input {...control} type={value === "" || isDay(value) ? "date" : "text"} value={value} />
  );
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const query = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]));
    applyInPlace(`${path}?${query}`);
  };
  const onPreset = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
      return;
    }
    event.preventDefault();
    applyInPlace((event.currentTarget as HTMLAnchorElement).href);
  };
  return (
    // Without `autocomplete`, because a reload would restore the previously typed values.
    <form
      class="ledger-filters"
      method="get"
      action={path}
      aria-label="Date range"
      autocomplete="off"
      onSubmit={onSubmit}
    >
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
      </div>
      <ul class="ledger-presets" aria-label="Ranges">
        {presets.map(({ text, href, current }) => (
          <li key={text}>
            <a href={href} aria-current={current ? "true" : undefined} onClick={onPreset}>{text}</a>
          </li>
        ))}
      </ul>
      {issues.offset !== undefined && <p class="problem" role="alert">Page: {issues.offset}</p>}
    </form>
  );
}

/** Opens a URL of the same page. Unlike a navigation, a reload keeps the scroll position. */
function applyInPlace(href: string): void {
  if (new URL(href, location.href).search !== location.search) history.pushState(null, "", href);
  location.reload();
}

/**
 * Reloads when the user goes back to another range, which the browser does not do within a
 * document.
 */
function reloadOnHistory(): () => void {
  const shown = location.search;
  const onPop = () => {
    if (location.search !== shown) location.reload();
  };
  addEventListener("popstate", onPop);
  return () => removeEventListener("popstate", onPop);
}
