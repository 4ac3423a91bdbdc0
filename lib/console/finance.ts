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

/** The session has ended meanwhile. */
export const SIGNED_OUT = "signed_out";
/** The address has left the list meanwhile. */
export const NOT_OPEN = "not_open";
/** The site itself does not answer, or not as it should. */
export const UNREACHABLE = "unreachable";

const REFUSALS: Record<number, string> = { 401: SIGNED_OUT, 403: NOT_OPEN };

/** Why there are no new figures: one of the codes above, or the bank's own. */
export interface RefreshFailure {
  code: string;
  /** The bank has failed, so that the figures from before are old ones. */
  ofBank: boolean;
}

/** Has the figures fetched from the bank again, and reads them. */
export async function refreshFigures(
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<Figures | RefreshFailure> {
  try {
    const refreshed = await fetch("/api/bank/refresh", { method: "POST" });
    if (refreshed.status === 502) return { code: (await refreshed.json()).error, ofBank: true };
    const answers = [refreshed];
    if (refreshed.ok) {
      answers.push(
        ...await Promise.all([fetch("/api/bank/summary"), fetch("/api/bank/accounts")]),
      );
    }
    const refused = answers.find(({ ok }) => !ok);
    if (refused !== undefined) {
      return { code: REFUSALS[refused.status] ?? UNREACHABLE, ofBank: false };
    }
    const [{ cached_at }, summary, accounts] = await Promise.all(
      answers.map((each) => each.json()),
    );
    return { summary, accounts, now: cached_at };
  } catch {
    return { code: UNREACHABLE, ofBank: false };
  }
}
