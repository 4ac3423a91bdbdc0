const PARENT = "/console/finance/";

/** The address of an account's page, whatever characters the bank's id has. */
export const accountPath = (id: string): string => PARENT + encodeURIComponent(id);

/**
 * The id that such an address names; undefined where its encoding is broken. It is read off the
 * path, for a route's parameter keeps `%2F`, `%3A` and their like as they are.
 */
export function accountIdOf(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname.slice(PARENT.length));
  } catch {
    return undefined;
  }
}
