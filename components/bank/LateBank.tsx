/** The island for console pages that are shown before the bank has responded, and completed afterwards. */
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChartProps } from "../../lib/features/chart/mod.ts";
import { Chart } from "../chart/Chart.tsx";

/**
 * Says that the bank is slow, fetches the same page without its limit, and replaces the parts with a
 * `data-late` attribute. Without scripts, it is a link to that page.
 *
 * @param props.href the page that waits for the bank
 */
export function LateBank({ href }: { href: string }) {
  const [state, setState] = useState<"static" | "waiting" | "done" | "failed">("static");
  const note = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    const request = new AbortController();
    setState("waiting");
    fetchPage(href, request.signal).then((page) => {
      replaceParts(page);
      setState("done");
    }).catch(() => {
      if (!request.signal.aborted) setState("failed");
    });
    return () => request.abort();
  }, []);

  return (
    <p class={state === "done" ? "visually-hidden" : "note flush"} role="status" ref={note}>
      {state === "done" ? "The bank’s figures have been loaded." : (
        <>
          {state === "failed"
            ? "The bank’s figures could not be loaded."
            : "The bank is slow to respond."} {state === "waiting"
            ? "Its figures appear here as soon as it has sent them."
            : (
              <a href={href} aria-current="false">
                {state === "failed" ? "Try again" : "Wait for the bank"}
              </a>
            )}
        </>
      )}
    </p>
  );
}

async function fetchPage(href: string, signal: AbortSignal): Promise<Document> {
  const response = await fetch(href, { signal, headers: { accept: "text/html" } });
  // Without a session, the console redirects to the sign-in page.
  if (!response.ok || response.redirected) throw new Error(`status ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

function replaceParts(page: Document): void {
  for (const part of document.querySelectorAll<HTMLElement>("[data-late]")) {
    const name = part.dataset.late!;
    const next = page.querySelector<HTMLElement>(`[data-late="${CSS.escape(name)}"]`);
    if (next === null) continue;
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    part.replaceChildren(...next.childNodes);
    for (const place of part.querySelectorAll<HTMLElement>("[data-chart]")) drawChart(place);
    const target = focused?.getAttribute("href");
    if (target) {
      part.querySelector<HTMLElement>(`a[href="${CSS.escape(target)}"]`)?.focus({
        preventScroll: true,
      });
    }
  }
}

/** Draws a chart in place of its HTML, which belongs to an island of the other page. */
function drawChart(place: HTMLElement): void {
  const props: ChartProps = JSON.parse(place.dataset.chart!);
  place.replaceChildren();
  render(<Chart {...props} />, place);
}
