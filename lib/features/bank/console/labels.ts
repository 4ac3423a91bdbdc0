/** The words for bank data on console pages: amounts, names of accounts, statuses and errors. */
import type { Account, BankErrorCode, Transaction } from "../provider.ts";
import type { HeldInTrust } from "../api.ts";
import { valueFormatter } from "../../chart/mod.ts";
import { plural } from "../../../base/time.ts";

const format = valueFormatter({ currency: "USD" });

/** Formats dollars: `$1,234.50`, or a dash for null (spec 4.2.1). */
export const dollars = (amount: number | null): string => format(amount);

/** Formats an amount with its sign: `+$12.00` or `-$12.00`. */
export const signed = (amount: number): string => `${amount > 0 ? "+" : ""}${dollars(amount)}`;

/** Converts one of the bank's names to words: `wireFee` and `wire_fee` to `Wire fee`. */
export function labelOf(name: string): string {
  const spaced = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll("_", " ").toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/**
 * Returns an account's nickname, or its kind if it has none. The last digits, which some banks put at the
 * end of a name, are left out, because pages show them next to it.
 */
export function nameOf(
  { nickname, kind, last4 }: Pick<Account, "nickname" | "kind" | "last4">,
): string {
  const digits = `••${last4}`;
  const name = nickname.endsWith(digits) ? nickname.slice(0, -digits.length).trim() : nickname;
  return name || (kind === "" ? "Account" : `${labelOf(kind)} account`);
}

/** Returns the parts of a total with their amounts; none if the whole is the organisation's own. */
export const partsOf = (held: HeldInTrust | undefined): [label: string, figure: string][] =>
  held === undefined ? [] : [
    [`of which held in trust for ${held.for}`, dollars(held.amount)],
    ["own funds", dollars(held.own_funds)],
  ];

/** Returns the bank's name for a status, but `received` for money that arrived, which it calls sent. */
export const statusOf = (
  { status, state, amount }: Pick<Transaction, "status" | "state" | "amount">,
): string => state === "settled" && amount > 0 ? "received" : status;

/** Returns the words for a status that selects transactions in both directions. */
export const statusChoice = (status: string): string =>
  status === "sent" ? "Sent or received" : labelOf(status);

export const activeAccounts = (count: number): string => plural(count, "active account");

/** Shown, with a dash for the total, if the bank did not send the balance of every account. */
export const PARTIAL_TOTAL = "The bank did not send the balance of every active account, " +
  "so there is no total.";

/** Shown with charts of the balances, which are derived from transactions. */
export const HISTORY_NOTE = "The bank’s transactions are read for 90 days.";

/** Shown for the only account of a split surface while the bank does not share it (spec 4.2.4). */
export const PENDING_ACCESS = "The account is registered but not yet accessible via API. " +
  "Its balance appears when the account is activated.";

const MESSAGES: Record<BankErrorCode | "not_connected" | "too_many", string> = {
  auth_failed: "The bank rejected the API token: it is invalid or has expired.",
  not_found: "The bank did not find what was requested.",
  rate_limited: "The bank is limiting requests. Try again in a minute.",
  network_error: "The bank could not be reached, or did not respond in time.",
  invalid_response: "The bank sent a response that could not be read.",
  upstream_error: "The bank returned an error.",
  slow: "The bank is slow to respond.",
  not_connected: "No bank is connected yet.",
  too_many: "There are too many transactions in these dates. Choose a shorter period.",
};

export const errorMessage = (code: string): string =>
  Object.hasOwn(MESSAGES, code)
    ? MESSAGES[code as keyof typeof MESSAGES]
    : "The bank's data could not be read.";
