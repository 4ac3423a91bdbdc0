/** The island that reloads the state of a batch on its page every few seconds. */
import { useEffect } from "preact/hooks";
import { SECOND_MS } from "../../lib/base/time.ts";

const EVERY_MS = 3 * SECOND_MS;

/** The part of the page that changes. It has `data-working` while the batch is in progress. */
export const PROGRESS_ID = "batch";

/** Keeps the progress of a batch up to date while the page is visible. Without scripts, a link loads it again. */
export function BatchProgress() {
  useEffect(() => {
    let busy = false;
    const timer = setInterval(() => {
      const shown = document.getElementById(PROGRESS_ID);
      // An open question must not close while somebody reads it.
      const isIdle = document.visibilityState === "visible" &&
        !shown?.querySelector("details[open]");
      if (shown?.dataset.working === undefined) clearInterval(timer);
      else if (isIdle && !busy) {
        busy = true;
        load(shown).catch(() => {}).finally(() => busy = false); // the next attempt may succeed
      }
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return null;
}

async function load(shown: HTMLElement): Promise<void> {
  const response = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const next = page.getElementById(PROGRESS_ID);
  if (next === null) return;
  const focused = controlsOf(shown).findIndex((control) => control === document.activeElement);
  shown.replaceWith(next);
  controlsOf(next)[focused]?.focus({ preventScroll: true });
}

const controlsOf = (
  element: HTMLElement,
) => [...element.querySelectorAll<HTMLElement>("a, button, summary")];
