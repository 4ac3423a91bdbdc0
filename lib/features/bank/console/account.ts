/** The data and the HTTP status of the page of one bank account. */
import type { Account } from "../provider.ts";
import type { Treasury } from "../treasury.ts";
import type { TreasuryFailure } from "../api.ts";
import { accountPath } from "./account_path.ts";
import { nameOf } from "./labels.ts";
import { type Ledger, readLedger } from "./ledger.ts";
import { type LedgerFilters, type RangePreset, rangePresets } from "./ledger_filters.ts";
import type { TypedFilters } from "./ledger_path.ts";

/** The data of an account's page, which the page also fetches as JSON when its URL changes. */
export interface AccountData {
  path: string;
  /** Null if the accounts could not be read, or do not include this one. */
  account: (Account & { cached_at: string }) | null;
  /** The accounts to switch to, this one included. */
  accounts: AccountLink[];
  typed: TypedFilters;
  /** The issues by field. If there are any, the ledger has only the chart's range. */
  issues: Partial<Record<string, string>>;
  presets: RangePreset[];
  /** The id of the transaction whose details are open, or an empty text. */
  transaction: string;
  ledger: Ledger | null;
  /**
   * Why there is no ledger: `not_found` for an account that is not listed, `restricted` for a listed
   * account whose transactions the bank does not share (spec 2.4.1), or the bank's error.
   */
  error: TreasuryFailure["error"] | "restricted" | null;
  /** True if the bank was too slow, so that some data is stored or missing. */
  late: boolean;
  /** The server's time, ISO 8601. */
  now: string;
}

interface AccountLink {
  path: string;
  name: string;
  last4: string;
}

/** More would make the page slow. The finance page lists all accounts. */
const MAX_LINKS = 30;

/**
 * Reads an account and the transactions that the filters select.
 *
 * @param now milliseconds since 1970
 * @param patience when it aborts, the data is what is stored and what the bank has sent until then
 */
export async function readAccount(
  treasury: Treasury,
  id: string,
  filters: LedgerFilters,
  now: number,
  patience?: AbortSignal,
): Promise<AccountData> {
  const data = await read(treasury, id, filters, now, patience);
  return { ...data, late: patience?.aborted ?? false };
}

async function read(
  treasury: Treasury,
  id: string,
  filters: LedgerFilters,
  now: number,
  patience: AbortSignal | undefined,
): Promise<AccountData> {
  const { typed, range, transaction } = filters;
  const data: AccountData = {
    path: accountPath(id),
    account: null,
    accounts: [],
    typed,
    issues: filters.issues,
    presets: rangePresets(now),
    transaction,
    ledger: null,
    error: null,
    late: false,
    now: new Date(now).toISOString(),
  };
  const query = filters.query ?? { account_id: id, ...range, limit: 1, offset: 0 };
  // Read together, so that they share the list of accounts. The transactions of an account that is not listed are not
  // requested.
  const [listed, result] = await Promise.all([
    treasury.accounts(patience),
    readLedger(treasury, query, { now, transaction, patience }),
  ]);
  if (listed.connection_status === "not_connected") {
    return { ...data, error: listed.reason ?? "not_connected" };
  }
  const account = listed.accounts.find((account) => account.id === id);
  if (account === undefined) return { ...data, error: "not_found" };
  data.account = { ...account, cached_at: listed.cached_at };
  data.accounts = linksOf(listed.accounts);
  if (result.ok) return { ...data, ledger: result.ledger };
  const restricted = result.error === "not_found" && account.status !== "active";
  return { ...data, error: restricted ? "restricted" : result.error };
}

const linksOf = (accounts: Account[]): AccountLink[] =>
  accounts.filter(({ id }) => id !== "").slice(0, MAX_LINKS).map((account) => ({
    path: accountPath(account.id),
    name: nameOf(account),
    last4: account.last4,
  }));

/** Returns the status of an account's page. Failures of the bank are 502, unless it is only slow. */
export function statusOf({ account, issues, error, late }: AccountData): number {
  if (late && error === "slow") return 200;
  if (error === "not_found" && account === null) return 404;
  if (error !== null && error !== "restricted") return 502;
  return Object.keys(issues).length > 0 ? 400 : 200;
}
