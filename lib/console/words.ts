import type { AccountView, TreasuryError } from "../bank/mod.ts";
import { valueFormatter } from "../chart/format.ts";

const format = valueFormatter({ currency: "USD" });

/** An amount as the consoles show it: `$1,234.50`; a dash where there is none (spec 4.2.1). */
export const dollars = (amount: number | null): string => format(amount);

const dayFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });

/** The UTC day of an ISO 8601 date or time: `Mar 1, 2026`. */
export const dayText = (time: string): string => dayFormat.format(Date.parse(time));

/** The provider's `incomingDomesticWire` as `Incoming domestic wire`. */
export function wordsOf(name: string): string {
  const spaced = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll("_", " ").toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** An account's nickname, or its kind where it has none. */
export const nameOf = ({ nickname, kind }: Pick<AccountView, "nickname" | "kind">): string =>
  nickname || `${wordsOf(kind)} account`;

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
