import type { AccountView, TransactionsAnswer, Treasury } from "../bank/mod.ts";
import { flowSpan, type LedgerFilters } from "./ledger_filters.ts";
import { type LoadedFlow, loadFlow } from "./load_flow.ts";
import { troubleOf } from "./trouble.ts";

/** The account as the bank has listed it, and when that was. */
interface Listed {
  account: AccountView;
  /** ISO 8601, in UTC. */
  cachedAt: string;
}

/** What is known of an account and its transactions. */
export type AccountReading =
  | { state: "unknown" }
  /** The bank does not answer, and not even the account is known. */
  | { state: "unreadable"; code: string; account?: undefined }
  /** The bank does not tell the transactions. */
  | Listed & { state: "unreadable"; code: string }
  /** The bank lists the account, and tells nothing of what is in it (spec 2.4, rule 1). */
  | Listed & { state: "closed" }
  /** The filters cannot be used. */
  | Listed & { state: "misfiltered" }
  | Listed & {
    state: "read";
    ledger: TransactionsAnswer;
    /** Null where it was not asked for. */
    flow: LoadedFlow | { code: string } | null;
  };

/**
 * Reads an account for its page.
 *
 * @param options.now milliseconds since 1970
 * @param options.flow whether the daily flow is wanted too
 */
export async function readAccount(
  treasury: Pick<Treasury, "accounts" | "transactions">,
  id: string,
  filters: LedgerFilters,
  options: { now: number; flow: boolean },
): Promise<AccountReading> {
  const listed = await treasury.accounts();
  if (listed.connection_status === "not_connected") {
    return { state: "unreadable", code: troubleOf(listed) };
  }
  const account = listed.accounts.find((account) => account.id === id);
  if (account === undefined) return { state: "unknown" };
  const known: Listed = { account, cachedAt: listed.cached_at };
  if ("issues" in filters) return { ...known, state: "misfiltered" };
  const { query } = filters;
  const [ledger, flow] = await Promise.all([
    treasury.transactions(query),
    options.flow ? loadFlow(treasury, id, flowSpan(query, options.now)) : null,
  ]);
  if ("transactions" in ledger) return { ...known, state: "read", ledger, flow };
  const code = troubleOf(ledger);
  if (code === "not_found" && account.status === "restricted") return { ...known, state: "closed" };
  return { ...known, state: "unreadable", code };
}
