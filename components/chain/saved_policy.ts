/** The policy about logs that the reader saved in this browser. */

/** The name of the policy in the browser's storage. */
const POLICY = "log-policy";

/** Returns the browser's storage; null if it is turned off. */
export function storage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** Returns the policy that the reader has saved in this browser; null if there is none. */
export const savedPolicy = (): string | null => storage()?.getItem(POLICY) ?? null;

/** Saves the reader's policy, or deletes it. */
export function savePolicy(text: string | null): void {
  if (text === null) storage()?.removeItem(POLICY);
  else storage()?.setItem(POLICY, text);
}
