/** The search form on a 404 page, which depends on the surface. */
import {
  formatDocumentId,
  MAX_NUMBER_TEXT,
  parseDocumentId,
} from "../lib/features/documents/mod.ts";
import type { State } from "../lib/app/state.ts";
import { siteHomePath } from "./navigation.ts";

interface Search {
  method: "get" | "post";
  action: string;
  name: string;
  label: string;
  button: string;
  maxLength: number;
  /** The text that is filled in; default: the words of the address. */
  value?: string;
  code?: true;
}

/** Returns the existing search of a surface; null if it has none. */
function searchOf({ surface }: State, pathname: string): Search | null {
  switch (surface.kind) {
    case "marketing":
      if (surface.organisation === "commercial") return null;
      return {
        method: "get",
        action: "/standard",
        name: "q",
        label: "Search the standard",
        button: "Search",
        maxLength: 200,
      };
    case "site":
      return {
        method: "get",
        action: siteHomePath(surface),
        name: "q",
        label: "Search qualifications",
        button: "Search",
        maxLength: 100,
      };
    case "trust":
      if (/^\/d(\/|$)/i.test(pathname)) {
        return {
          method: "get",
          action: "/d",
          name: "number",
          label: "Document number, as it is printed next to the QR code",
          button: "Open",
          maxLength: MAX_NUMBER_TEXT,
          value: numberIn(pathname),
          code: true,
        };
      }
      return {
        method: "get",
        action: "/verify",
        name: "hash",
        label: "Verify a record by its hash",
        button: "Verify",
        maxLength: 500,
        value: hashIn(pathname),
        code: true,
      };
    case "console":
      return {
        method: "post",
        action: "/console/search",
        name: "q",
        label: "Search the console",
        button: "Search",
        maxLength: 100,
      };
    default:
      return null;
  }
}

/**
 * The search of the surface, filled in with the words of an address that was not found. It needs no
 * scripts.
 */
export function ErrorSearch({ state, pathname }: { state: State; pathname: string }) {
  const search = searchOf(state, pathname);
  if (search === null) return null;
  const { method, action, name, label, button, maxLength, value, code } = search;
  return (
    <form class="error-search" role="search" method={method} action={action}>
      <label class="block below-2 bold" for="error-search">{label}</label>
      <div class="wrap gap-3">
        <input
          id="error-search"
          class={code ? "text-input mono" : "text-input"}
          type={code ? "text" : "search"}
          name={name}
          value={value ?? wordsIn(pathname)}
          required
          maxLength={maxLength}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
        <button type="submit" class="button primary">{button}</button>
      </div>
    </form>
  );
}

const hashIn = (pathname: string): string => /\/([0-9a-f]{64})(?![^/])/i.exec(pathname)?.[1] ?? "";

/** Returns what is probably a mistyped number. */
function numberIn(pathname: string): string {
  const typed = /^\/d\/([\w.~%+-]{1,40})(?=\/|$)/i.exec(pathname)?.[1] ?? "";
  const id = parseDocumentId(typed);
  return id === null ? typed.replaceAll("%20", " ").replace(/%..?/g, "") : formatDocumentId(id);
}

/** Returns the words of the last segment; empty if it looks like a secret or an id. */
function wordsIn(pathname: string): string {
  const segment = pathname.split("/").findLast((part) => part !== "") ?? "";
  if (segment.length > 60 || /[^\w.~+-]/.test(segment) || /^[0-9a-f-]{16,}$/i.test(segment)) {
    return "";
  }
  const words = segment.replace(/\.\w{2,4}$/, "").split(/[-_.~+]+/).filter((word) => word !== "");
  return words.some((word) => word.length > 20) ? "" : words.join(" ");
}
