/** The hook of pages that look up a key or share code from the URL's fragment. */
import { useEffect, useRef, useState } from "preact/hooks";
import { findKey } from "../lib/features/records/keys/key_code.ts";

export type LookUp<Answer> =
  | { phase: "none" }
  | { phase: "asking" }
  | { phase: "answered"; answer: Answer }
  /** The key or code could not be looked up. */
  | { phase: "failed"; message: string };

const UNREACHABLE = "The publisher could not be reached. Check your connection and try again.";
const BROKEN = "The publisher's response was not understood. Try again in a minute.";

/**
 * Looks up the key or code in the page's fragment, and again whenever the fragment changes. The
 * fragment stays in the address: reloading the page looks it up again, and so does "Open in browser" in
 * apps that scan codes.
 *
 * @param initial the server's response to a posted form, or null
 * @param ask looks up a text
 * @returns the state, and a function that looks up what somebody typed
 */
export function useFragmentLookUp<Answer>(
  initial: Answer | null,
  ask: (text: string) => Promise<LookUp<Answer>>,
): [LookUp<Answer>, (typed: string) => void] {
  const [lookUp, setLookUp] = useState<LookUp<Answer>>(
    initial === null ? { phase: "none" } : { phase: "answered", answer: initial },
  );
  const latest = useRef(0);
  const start = async (text: string) => {
    const number = ++latest.current;
    setLookUp({ phase: "asking" });
    const next = await ask(text);
    if (number === latest.current) setLookUp(next);
  };
  const open = (text: string) => {
    const fragment = `#${encodeURIComponent(findKey(text) ?? text)}`;
    if (fragment === location.hash) start(text).catch(reportError);
    else location.hash = fragment; // looks it up
  };
  useEffect(() => {
    const read = () => {
      if (location.hash.length > 1) start(decode(location.hash.slice(1))).catch(reportError);
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

/**
 * Posts a key or code, and reads the response.
 *
 * @param read returns the answer in a response that succeeded, or null if it is not understood
 * @param unknown the answer if nobody has created the key or code
 */
export async function askPublisher<Answer>(
  path: string,
  body: unknown,
  read: (json: unknown) => Answer | null,
  unknown: Answer,
): Promise<LookUp<Answer>> {
  let response: Response;
  try {
    response = await postJson(path, body);
  } catch {
    return { phase: "failed", message: UNREACHABLE };
  }
  const json = await response.json().catch(() => null);
  if (response.status === 404) return { phase: "answered", answer: unknown };
  if (response.status === 429) return { phase: "failed", message: json?.message ?? BROKEN };
  const answer = response.ok && json !== null ? read(json) : null;
  return answer === null ? { phase: "failed", message: BROKEN } : { phase: "answered", answer };
}

export const postJson = (path: string, body: unknown): Promise<Response> =>
  fetch(path, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
