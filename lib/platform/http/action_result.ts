/**
 * Adds the result of an action to the URL of the page that shows it, and leads to the result. The page
 * says what is true when it is shown, so a made-up URL shows nothing false.
 *
 * @param done the action
 * @param of what it concerned, such as an id. Not personal data
 */
export function withResult(href: string, done: string, of?: string): string {
  const query = new URLSearchParams({ done, ...of === undefined ? {} : { of } });
  return `${href}${href.includes("?") ? "&" : "?"}${query}`;
}

/** The result of an action, as a page shows it. */
export interface ShownResult {
  /** What was done, as a short sentence without the full stop. */
  title: string;
  /** What happens next. */
  text?: string;
  /** Replaces the text once the action cannot be undone any more. */
  late?: string;
  /** The form that undoes it; null if nothing does. */
  undo?: {
    fields: Readonly<Record<string, string>>;
    /** Milliseconds for which it works. Default: without limit. */
    leftMs?: number;
  } | null;
}

const CODE = /^[a-z_]{1,30}$/;
const OBJECT = /^[\w.:~-]{1,120}$/;

/** Reads the result in the URL of a page. Malformed parts are empty. */
export function resultIn({ searchParams }: URL): { done: string; of: string } {
  const read = (name: string, form: RegExp) => form.exec(searchParams.get(name) ?? "")?.[0] ?? "";
  return { done: read("done", CODE), of: read("of", OBJECT) };
}
