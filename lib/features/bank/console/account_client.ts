import { fail, type Failure } from "../../../base/result.ts";
import type { AccountData } from "./account.ts";
import { NO_ACCESS, SIGNED_OUT, UNREACHABLE } from "./finance.ts";

/** Fetches the data of an account's page at a URL. */
export async function fetchAccount(
  href: string,
  signal: AbortSignal,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<{ ok: true; data: AccountData } | Failure> {
  try {
    // The address that the page was opened with may have no query.
    const separator = href.includes("?") ? "&" : "?";
    const response = await fetch(`${href}${separator}format=json`, {
      signal,
      headers: { accept: "application/json" },
    });
    // Without a session, the console redirects to the sign-in page.
    if (response.redirected) return fail(SIGNED_OUT);
    if (response.status === 403) return fail(NO_ACCESS);
    const data = await response.json();
    return "typed" in data ? { ok: true, data } : fail(UNREACHABLE);
  } catch {
    return fail(UNREACHABLE);
  }
}
