import type { AccountsAnswer, Summary } from "../bank/mod.ts";

/** What the finance page shows of the bank at one moment. */
export interface Figures {
  summary: Summary;
  accounts: AccountsAnswer;
  /** The server's time then, ISO 8601. */
  now: string;
}

/** Where the finance page stands; it stays the same while the figures change. */
export interface FinancePlace {
  /** Before the foundation's split, after it, or on the commercial console (spec 4.2, 2 to 4). */
  kind: "foundation" | "split" | "commercial";
  /** The variables to set for a connection, the token secret's first. */
  variables: string[];
}

/** How a refresh went. */
export type RefreshResult =
  | { state: "idle" | "busy" | "done" }
  | { state: "failed"; code: string };

/** Of a session that has ended meanwhile, and of a site that does not answer. */
export const SIGNED_OUT = "signed_out";
export const UNREACHABLE = "unreachable";

/**
 * Has the figures fetched from the bank again, and reads them.
 *
 * @returns the figures, or the code of what went wrong
 */
export async function refreshFigures(
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<Figures | { code: string }> {
  try {
    const refreshed = await fetch("/api/bank/refresh", { method: "POST" });
    if (refreshed.status === 401) return { code: SIGNED_OUT };
    const { error, cached_at } = await refreshed.json();
    if (!refreshed.ok) return { code: error };
    const read = async (path: string) => {
      const response = await fetch(path);
      if (!response.ok) throw new Error(`status ${response.status}`);
      return await response.json();
    };
    const [summary, accounts] = await Promise.all([
      read("/api/bank/summary"),
      read("/api/bank/accounts"),
    ]);
    return { summary, accounts, now: cached_at };
  } catch {
    return { code: UNREACHABLE };
  }
}
