/** Updates the pages of the workbench when something new arrives, such as a mail. */
import { useEffect, useState } from "preact/hooks";
import type { Live } from "../../lib/features/workbench/mod.ts";
import { SECOND_MS } from "../../lib/base/time.ts";

const EVERY_MS = 2 * SECOND_MS;

/**
 * Keeps the elements `[data-live]` of the page up to date while the page is visible. It asks for a
 * short version, and loads the page only if that has changed. Without scripts, the page shows what
 * was there when it was loaded.
 */
export function LivePage({ of, version, note }: {
  of: Live;
  /** The version that the page shows. */
  version: string;
  /** The announcement to screen readers after an update. */
  note: string;
}) {
  const [updates, setUpdates] = useState(0);
  useEffect(() => watch({ of, version, onUpdate: () => setUpdates((count) => count + 1) }), []);
  // Alternating text is announced each time.
  const heard = updates === 0 ? "" : updates % 2 === 1 ? note : `${note} `;
  return <p class="visually-hidden" role="status">{heard}</p>;
}

/** Polls every two seconds, and when the page becomes visible. Returns how to stop. */
function watch(
  { of, version, onUpdate }: { of: Live; version: string; onUpdate: () => void },
): () => void {
  let shown = version;
  let busy = false;
  async function poll() {
    if (busy || document.visibilityState !== "visible") return;
    busy = true;
    try {
      const response = await fetch(`/dev/version?of=${of}`, {
        headers: { accept: "application/json" },
      });
      const current = response.ok ? (await response.json()).version : shown;
      if (current !== shown && await reload()) {
        shown = current;
        onUpdate();
      }
    } catch {
      // The site is restarting; the next attempt may succeed.
    } finally {
      busy = false;
    }
  }
  const look = () => void poll().catch(reportError);
  const timer = setInterval(look, EVERY_MS);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

/** Replaces the live parts of the page. Keeps the focus, and which messages are open. */
async function reload(): Promise<boolean> {
  const response = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!response.ok) return false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const parts = page.querySelectorAll("[data-live]");
  const shown = document.querySelectorAll("[data-live]");
  if (parts.length !== shown.length) return false; // an error page
  const focused = document.activeElement?.closest("[data-live]") && document.activeElement!.id;
  shown.forEach((before, i) => {
    for (const { id, open } of before.querySelectorAll<HTMLDetailsElement>("details[id]")) {
      const same = parts[i].querySelector<HTMLDetailsElement>(`#${CSS.escape(id)}`);
      if (same) same.open = open;
    }
    before.replaceChildren(...parts[i].childNodes);
  });
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  return true;
}
