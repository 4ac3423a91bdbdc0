import type { Filters } from "../../lib/features/qualifications/filters.ts";
import type { Counts } from "../../lib/features/qualifications/schemas.ts";

/** Returns what a visitor has entered in the form of the search. */
export function readFilters(form: HTMLFormElement): Filters {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? "").trim();
  return {
    q: text("q"),
    level: (Number(text("level")) || undefined) as Filters["level"],
    package: text("package") || undefined,
    status: (text("status") || undefined) as Filters["status"],
  };
}

/** Returns whether the form differs from what the server rendered. */
export const isChanged = (form: HTMLFormElement): boolean =>
  [...form.elements].some((element) =>
    element instanceof HTMLSelectElement
      ? [...element.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
      : element instanceof HTMLInputElement &&
        (element.value !== element.defaultValue || element.checked !== element.defaultChecked)
  );

/** Shows the number of matches behind each option. */
export function showCounts(form: HTMLFormElement, counts: Counts): void {
  for (const name of ["level", "package"] as const) {
    for (const option of (form.elements.namedItem(name) as HTMLSelectElement).options) {
      if (option.value === "") continue;
      option.text = option.text.replace(/\(\d+\)$/, `(${counts[name][option.value] ?? 0})`);
    }
  }
}
