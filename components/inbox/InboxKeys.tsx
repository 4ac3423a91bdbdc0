/** The island of the inbox for keyboard shortcuts and drafts that survive a reload. */
import { useEffect } from "preact/hooks";
import { ShortcutHint } from "../ShortcutHint.tsx";
import { useKeys } from "../use_keys.ts";

/**
 * The keyboard shortcuts of the inbox, with their description. They use what the page has without
 * scripts: the links of the list, those to the next and the previous enquiry, and the forms.
 */
export function InboxKeys({ draft }: {
  /** Identifies the enquiry whose reply and note are kept in the browser until they are sent. */
  draft?: string;
}) {
  const shortcuts = useKeys((event, isOn) => {
    if (!isOn) return;
    const act = { j: () => move(1), k: () => move(-1), r: reply, e: close }[event.key];
    if (act?.()) event.preventDefault();
  });
  useEffect(() => {
    if (draft === undefined) return;
    const stops = [keepDraft("reply", draft), keepDraft("note", draft)];
    return () => stops.forEach((stop) => stop());
  }, []);
  return (
    <ShortcutHint shortcuts={shortcuts}>
      <kbd>j</kbd> <kbd>k</kbd> next and previous
      {draft === undefined
        ? (
          <>
            , <kbd>Enter</kbd> open, <kbd>r</kbd> open and reply
          </>
        )
        : (
          <>
            , <kbd>r</kbd> reply, <kbd>e</kbd> close
          </>
        )}
    </ShortcutHint>
  );
}

/** Opens the next or previous enquiry, or moves the focus in the list. */
function move(step: 1 | -1): boolean {
  const link = document.querySelector<HTMLAnchorElement>(
    `[data-neighbour="${step === 1 ? "next" : "previous"}"]`,
  );
  if (link !== null) return link.click(), true;
  if (document.querySelector("[data-enquiry]") !== null) return false;
  const links = [...document.querySelectorAll<HTMLElement>("[data-inbox-link]")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = links[at === -1 ? 0 : at + step];
  next?.focus();
  return next !== undefined;
}

/** Focuses the reply, or opens the enquiry that has the focus in the list at its reply. */
function reply(): boolean {
  const link = document.activeElement;
  if (link instanceof HTMLAnchorElement && link.matches("[data-inbox-link]")) {
    location.href = `${link.href}#field-text`;
    return true;
  }
  const field = document.querySelector<HTMLTextAreaElement>("[data-reply] textarea");
  field?.focus();
  return field !== null;
}

function close(): boolean {
  const button = document.querySelector<HTMLButtonElement>("[data-close]");
  button?.click();
  return button !== null;
}

/**
 * Keeps a text in the tab while it is written, so that it survives a session that ends. It is forgotten
 * once it was sent.
 *
 * @param what the form and the action whose result the page shows once it was sent
 */
function keepDraft(what: "reply" | "note", enquiry: string): () => void {
  const name = `${what}-${enquiry}`;
  const field = document.querySelector<HTMLTextAreaElement>(`[data-${what}] textarea`);
  if (new URL(location.href).searchParams.get("done") === what) sessionStorage.removeItem(name);
  if (field === null) return () => {};
  const draft = sessionStorage.getItem(name) ?? "";
  if (field.value === "" && draft !== "") {
    field.value = draft;
    field.closest("details")?.setAttribute("open", "");
  }
  const save = () => sessionStorage.setItem(name, field.value);
  field.addEventListener("input", save);
  return () => field.removeEventListener("input", save);
}
