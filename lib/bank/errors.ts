/**
 * What the bank client hands back instead of data (spec 7). `invalid_response` is an answer that
 * does not parse; `upstream_error` any other status, redirects included.
 */
export type BankError =
  | { error: "auth_failed"; message: "Bank API token invalid or expired" }
  | { error: "not_found" }
  | { error: "rate_limited" }
  | { error: "network_error" }
  | { error: "invalid_response" }
  | { error: "upstream_error"; status: number };

export type BankErrorCode = BankError["error"];

/**
 * Tells an error from data.
 *
 * @example
 * ```ts
 * const accounts = await client.getAccounts();
 * if (isBankError(accounts)) return accounts.error;
 * ```
 */
export const isBankError = <Data extends object>(result: Data | BankError): result is BankError =>
  "error" in result;

/** The error that a status other than 2xx stands for. */
export function errorOfStatus(status: number): BankError {
  switch (status) {
    case 401:
      return { error: "auth_failed", message: "Bank API token invalid or expired" };
    case 404:
      return { error: "not_found" };
    case 429:
      return { error: "rate_limited" };
    default:
      return { error: "upstream_error", status };
  }
}
