/** The contents of the contact form while it is filled in, and the checks in the browser. */
import { CONFIG } from "../../lib/features/contact/config.ts";
import { unmarked } from "../../lib/base/pasted.ts";
import {
  type ContactField,
  controlsOf,
  type FieldName,
  type FormValues,
  mainControlOf,
} from "../../lib/features/contact/fields.ts";

const { COPY, DIAL_CODES, HONEYPOT } = CONFIG;
const FIELDS: readonly ContactField[] = CONFIG.FIELDS;

export type Draft = Required<FormValues>;

export type IssueName = FieldName | "challenge";
export type Issues = Partial<Record<IssueName, string>>;

export const ISSUES = [...FIELDS.map(({ name }) => name), "challenge"] as IssueName[];

export function emptyDraft(): Draft {
  const draft: FormValues = { [HONEYPOT]: "" };
  for (const field of FIELDS) {
    const [first, ...others] = controlsOf(field);
    for (const name of others) draft[name] = "";
    draft[first] = field.kind === "mobile" ? DIAL_CODES[0].country : "";
  }
  return draft as Draft;
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
/** Digits and the usual separators, including those that Japanese keyboards produce. */
const PHONE = /^(?:tel:)?[(（]?[+＋]?[\p{Nd}\p{Pd}\s()（）./ー]{4,}$/u;

/** Returns the issues that can be found in the browser. The server checks everything again. */
export function check(draft: Draft): Issues {
  const issues: Record<string, string> = {};
  for (const field of FIELDS) {
    const problem = problemOf(field, draft[mainControlOf(field)].trim());
    if (problem !== undefined) issues[field.name] = problem;
  }
  return issues;
}

function problemOf(field: ContactField, text: string): string | undefined {
  if (text === "") return field.missing;
  if (field.kind === "choice") return undefined;
  if (text.length > field.limit) return COPY.TOO_LONG;
  if (field.kind === "email" && !EMAIL.test(unmarked(text))) return field.invalid;
  if (field.kind === "mobile" && !PHONE.test(unmarked(text))) return field.invalid;
}

/** Maps the server's issues to the form's: `mobile.number` belongs to `mobile`. */
export function issuesOf(serverIssues: Record<string, string>): Issues {
  const issues: Issues = {};
  for (const [path, text] of Object.entries(serverIssues)) {
    const issue = ISSUES.find((name) => name === path.split(".")[0]);
    if (issue !== undefined) issues[issue] ??= text;
  }
  return issues;
}

/** Returns the issues of fields that have not changed since the check. */
export function remainingIssues(issues: Issues, before: Draft, now: Draft): Issues {
  const changed = FIELDS.filter((field) =>
    controlsOf(field).some((name) => before[name] !== now[name])
  ).map(({ name }) => name);
  return Object.fromEntries(Object.entries(issues).filter(([name]) => !changed.includes(name)));
}

/** A form for pages without scripts, which the module replaces. */
interface Fallback {
  draft: Draft;
  /** When someone started to fill it in, in `performance.now` time; null if it is untouched. */
  openedAt: number | null;
  /** Moves the focus to the same control in the module. */
  focusIn: (root: ShadowRoot) => void;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Reads what has been typed into the element's controls, by name. */
export function readFallback(element: HTMLElement): Fallback {
  const draft = emptyDraft();
  let typed = false;
  for (const control of element.querySelectorAll<Control>("input, select, textarea")) {
    if (!(control.name in draft)) continue;
    if (control instanceof HTMLInputElement && control.type === "radio" && !control.checked) {
      continue;
    }
    draft[control.name as keyof Draft] = control.value;
    typed ||= !(control instanceof HTMLSelectElement) && control.value !== "";
  }
  const active = document.activeElement as Control | null;
  const name = active && element.contains(active) ? active.name : undefined;
  const selection = active && "selectionStart" in active ? active.selectionStart : null;
  return {
    draft,
    openedAt: typed ? 0 : null, // when the page was loaded
    focusIn(root) {
      if (!name) return;
      const control = root.querySelector<HTMLInputElement>(`[name="${CSS.escape(name)}"]`);
      control?.focus({ preventScroll: true });
      try {
        if (selection !== null) control?.setSelectionRange(selection, selection);
      } catch {
        // Scripts cannot set the caret in an email field.
      }
    },
  };
}
