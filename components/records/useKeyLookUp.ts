import { useEffect, useRef, useState } from "preact/hooks";
import type { KeyReport, Visit } from "../../lib/features/records/key_service.ts";
import { findKey } from "../../lib/features/records/key_code.ts";

/** The server's response to a page. */
export interface Answer {
  report: KeyReport;
  nonce: string | null;
  own: boolean;
}

type LookUp =
  | { phase: "none" }
  | { phase: "asking" }
  | { phase: "answered"; answer: Answer }
  /** The key could not be looked up. */
  | { phase: "failed"; message: string };

const UNREACHABLE = "The publisher could not be reached. Check your connection and try again.";
const BROKEN = "The publisher's response was not understood. Try again in a minute.";

/**
 * Looks up the key in the page's fragment, and again whenever the fragment changes. The fragment
 * stays in the address: reloading the page checks the key again, and so does "Open in browser" in
 * apps that scan codes.
 *
 * @param initial the server's response to a posted form, or null
 */
export function useKeyLookUp(initial: Answer | null): [LookUp, (key: string) => void] {
  const [lookUp, setLookUp] = useState<LookUp>(
    initial === null ? { phase: "none" } : { phase: "answered", answer: initial },
  );
  const latest = useRef(0);
  const ask = async (key: string) => {
    const number = ++latest.current;
    setLookUp({ phase: "asking" });
    const next = await askFor(key);
    if (number === latest.current) setLookUp(next);
  };
  const open = (key: string) => {
    const fragment = `#${encodeURIComponent(findKey(key) ?? key)}`;
    if (fragment === location.hash) ask(key).catch(reportError);
    else location.hash = fragment; // looks it up
  };
  useEffect(() => {
    const read = () => {
      if (location.hash.length > 1) ask(decode(location.hash.slice(1))).catch(reportError);
    };
    read();
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return [lookUp, open];
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

const answered = (report: KeyReport): LookUp => ({
  phase: "answered",
  answer: { report, nonce: null, own: false },
});

async function askFor(text: string): Promise<LookUp> {
  const key = findKey(text);
  if (key === null) return answered({ state: "malformed" });
  let response: Response;
  try {
    response = await post("/k", { key });
  } catch {
    return { phase: "failed", message: UNREACHABLE };
  }
  const body = await response.json().catch(() => null);
  if (response.status === 404) return answered({ state: "unknown" });
  if (response.status === 429) return { phase: "failed", message: body?.message ?? BROKEN };
  if (!response.ok || body === null) return { phase: "failed", message: BROKEN };
  const { nonce = null, own = false, ...report } = body;
  return { phase: "answered", answer: { report, nonce, own } };
}

/** Tells the publisher that this browser verified the chain. Returns null if that failed. */
export async function reportVerified(nonce: string): Promise<Visit | null> {
  try {
    const response = await post("/k/verified", { nonce });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(path, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
