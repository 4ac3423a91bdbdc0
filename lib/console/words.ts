import type { AccountView, TreasuryError } from "../bank/mod.ts";
import { valueFormatter } from "../chart/format.ts";

const format = valueFormatter({ currency: "USD" });

/** An amount as the consoles show it: `$1,234.50`; a dash where there is none (spec 4.2.1). */
export const dollars = (amount: number | null): string => format(amount);

/** The provider's `incomingDomesticWire` as `Incoming domestic wire`. */
export function wordsOf(name: string): string {
  const spaced = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll("_", " ").toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** An account's nickname, or its kind where it has none. */
export const nameOf = ({ nickname, kind }: Pick<AccountView, "nickname" | "kind">): string =>
  nickname || `${wordsOf(kind)} account`;

/** How many accounts are counted: `6 active accounts`. */
export const activeText = (count: number): string =>
  `${count} active ${count === 1 ? "account" : "accounts"}`;

/** Of the one account of a split surface while the bank does not give it out (spec 4.2.4). */
export const PENDING_ACCESS = "The account is registered but not yet accessible via API. " +
  "Its balance appears when the account is activated.";

const REASONS: Record<TreasuryError["error"], string> = {
  auth_failed: "The bank refuses the API token: it is invalid, or has expired.",
  not_found: "The bank does not know what it was asked for.",
  rate_limited: "The bank asks for a pause. Try again in a minute.",
  network_error: "The bank could not be reached, or did not answer in time.",
  invalid_response: "The bank answered with something that cannot be read.",
  upstream_error: "The bank answered with an error of its own.",
  not_connected: "No bank is connected yet.",
};

/** Why there are no current figures, for people. */
export const reasonText = (code: string): string =>
  Object.hasOwn(REASONS, code)
    ? REASONS[code as TreasuryError["error"]]
    : "The bank could not be read.";
