/** The numbers of unread alerts and new enquiries in a console's sidebar, kept up to date. */
import { useEffect, useState } from "preact/hooks";
import { SECOND_MS } from "../../lib/base/time.ts";

const EVERY_MS = 30 * SECOND_MS;

/** The event that passes on the number of new enquiries, so that one request reads both counts. */
const NEW_ENQUIRIES = "newenquiries";

interface AlertCountProps {
  unread: number;
  /** The largest number that is counted. */
  most: number;
}

/**
 * The number of unread alerts in the sidebar and in the document's title. Updates it while the page
 * is visible.
 */
export function AlertCount({ unread, most }: AlertCountProps) {
  const [count, setCount] = useState(unread);
  useEffect(() => pollCount(setCount), []);
  const text = textOf(count, most);
  useEffect(() => {
    const title = document.title.replace(/^\(\d+\+?\) /, "");
    document.title = count === 0 ? title : `(${text}) ${title}`;
  }, [count]);
  return <UnreadCount unread={count} most={most} />;
}

/** The number of new enquiries in the sidebar. It changes with that of the alerts. */
export function EnquiryCount({ unread, most, word }: AlertCountProps & { word: string }) {
  const [count, setCount] = useState(unread);
  useEffect(() => {
    const update = (event: Event) => setCount((event as CustomEvent<number>).detail);
    document.addEventListener(NEW_ENQUIRIES, update);
    return () => document.removeEventListener(NEW_ENQUIRIES, update);
  }, []);
  return <UnreadCount unread={count} most={most} word={word} />;
}

/** The number alone, for pages that load no scripts. */
export function UnreadCount(
  { unread, most, word = "unread" }: AlertCountProps & { word?: string },
) {
  if (unread === 0) return null;
  return (
    <span class="unread text-small">
      {textOf(unread, most)}
      <span class="visually-hidden">{word}</span>
    </span>
  );
}

const textOf = (count: number, most: number) => count < most ? String(count) : `${most - 1}+`;

/** Reads the count every half minute and when the page becomes visible. Returns how to stop. */
function pollCount(onCount: (count: number) => void): () => void {
  let stopped = false;
  async function read() {
    if (stopped || document.visibilityState !== "visible") return;
    try {
      const response = await fetch("/console/alerts/count", {
        headers: { accept: "application/json" },
        redirect: "manual",
      });
      if (response.ok) {
        const { unread, enquiries } = await response.json();
        onCount(unread);
        document.dispatchEvent(new CustomEvent(NEW_ENQUIRIES, { detail: enquiries }));
      } else if (response.type === "opaqueredirect" || response.status === 403) {
        stop(); // signed out, or no longer an administrator
      }
    } catch {
      // The next attempt may succeed.
    }
  }
  const look = () => void read().catch(reportError);
  const timer = setInterval(look, EVERY_MS);
  document.addEventListener("visibilitychange", look);
  function stop() {
    stopped = true;
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  }
  return stop;
}
