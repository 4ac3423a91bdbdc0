const FINANCE_PATH = "/console/finance";

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
