import type { AccountsResponse, Summary } from "../bank/mod.ts";
import { fail, type Failure } from "../../base/result.ts";

export interface Figures {
  summary: Summary;
  accounts: AccountsResponse;
  /** The server's time when they were read, ISO 8601. */
  now: string;
}

/** The parts of the finance page that do not change with the figures. */
export interface FinanceSettings {
  /** The foundation before or after its split, or the commercial console (spec 4.2, 2 to 4). */
  kind: "foundation" | "split" | "commercial";
  /** Environment variables to set to connect the bank, with the token first. */
  variables: string[];
}

export type RefreshState =
  | { state: "idle" | "busy" | "done" }
  | { state: "failed"; code: string };

/** Refresh failures not caused by the bank: session ended, access removed, site unreachable. */
export const SIGNED_OUT = "signed_out";
export const NO_ACCESS = "no_access";
export const UNREACHABLE = "unreachable";

const CODES: Record<number, string> = { 401: SIGNED_OUT, 403: NO_ACCESS };
const FINANCE_PATH = "/console/finance";

/** Makes the server refetch the figures, then reads them. */
export async function refreshFigures(
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<{ ok: true; figures: Figures } | Failure & { fromBank: boolean }> {
  try {
    const refreshed = await fetch("/api/bank/refresh", { method: "POST" });
    if (refreshed.status === 502) {
      return { ...fail((await refreshed.json()).error), fromBank: true };
    }
    const responses = [refreshed];
    if (refreshed.ok) {
      responses.push(
        ...await Promise.all([fetch("/api/bank/summary"), fetch("/api/bank/accounts")]),
      );
    }
    const refused = responses.find(({ ok }) => !ok);
    if (refused !== undefined) {
      return { ...fail(CODES[refused.status] ?? UNREACHABLE), fromBank: false };
    }
    const [{ cached_at }, summary, accounts] = await Promise.all(
      responses.map((response) => response.json()),
    );
    return { ok: true, figures: { summary, accounts, now: cached_at } };
  } catch {
    return { ...fail(UNREACHABLE), fromBank: false };
  }
}

/** Returns the path of an account's page; the bank's id may contain any character. */
export const accountPath = (id: string): string => `${FINANCE_PATH}/${encodeURIComponent(id)}`;

/**
 * Returns the account id in such a path, or undefined if its encoding is invalid. A route parameter
 * would leave `%2F`, `%3A` and so on encoded.
 */
export function accountIdOf(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname.slice(FINANCE_PATH.length + 1));
  } catch {
    return undefined;
  }
}
