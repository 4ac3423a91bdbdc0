/** The finance page's figures in the browser: their format, and the requests that read or refresh them. */
import type { AccountsResponse, Summary } from "../api.ts";
import { fail, type Failure } from "../../../base/result.ts";
import type { FinanceMoney } from "./finance_money.ts";

export interface Figures {
  summary: Summary;
  accounts: AccountsResponse;
  /** Null on the foundation's console, which shows nothing about transactions (spec 4.2.2). */
  money: FinanceMoney | null;
  /** The server's time when they were read, ISO 8601. */
  now: string;
}

/** The parts of the finance page that do not change with the figures. */
export interface FinanceSettings {
  /** The foundation before or after its split, or the commercial console (spec 4.2.2 to 4.2.4). */
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

/**
 * Makes the server refetch the figures, then reads them.
 *
 * @param since the first day of the change, as the page's form was given it; empty for the default
 */
export async function refreshFigures(
  since: string,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<{ ok: true; figures: Figures } | Failure & { fromBank: boolean }> {
  try {
    const refreshed = await fetch("/api/bank/refresh", { method: "POST" });
    if (refreshed.status === 502) {
      return { ...fail((await refreshed.json()).error), fromBank: true };
    }
    return refreshed.ok ? await readFigures(since, fetch) : failed(refreshed);
  } catch {
    return { ...fail(UNREACHABLE), fromBank: false };
  }
}

/**
 * Reads the figures of the page, and waits for the bank.
 *
 * @param since as for {@link refreshFigures}
 */
export async function readFigures(
  since: string,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<{ ok: true; figures: Figures } | Failure & { fromBank: boolean }> {
  try {
    const response = await fetch(
      `${FINANCE_PATH}?${new URLSearchParams({ since, format: "json", wait: "1" })}`,
      { headers: { accept: "application/json" } },
    );
    return response.ok ? { ok: true, figures: await response.json() } : failed(response);
  } catch {
    return { ...fail(UNREACHABLE), fromBank: false };
  }
}

const failed = ({ status }: Response) => ({
  ...fail(CODES[status] ?? UNREACHABLE),
  fromBank: false,
});
