import type { TreasuryFailure } from "./api.ts";
import type { BankError, BankErrorCode } from "./provider.ts";

const MESSAGES: Record<BankErrorCode, string> = {
  auth_failed: "Bank API token invalid or expired",
  not_found: "The bank does not have this account, or does not share it.",
  rate_limited: "The bank is limiting requests. Try again in a minute.",
  network_error: "The bank could not be reached.",
  invalid_response: "The bank sent a response that could not be read.",
  upstream_error: "The bank returned an error.",
  slow: "The bank is slow to respond.",
};

/** Returns an error of the provider as a failure with a message for operators. */
export const failureOf = (failure: BankError): TreasuryFailure => ({
  ok: false,
  error: failure.error,
  message: MESSAGES[failure.error],
  ...failure.error === "upstream_error" ? { details: { status: failure.status } } : {},
});
