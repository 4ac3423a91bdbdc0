/**
 * The most checks of a commit. Self-hosted servers accept 10, and one is for the commit's id. A commit that has fewer
 * than these also checks the store's id.
 */
export const MOST_CHECKS = 9;

/** Thrown for a commit that a remote store would refuse. It is thrown for every store, so tests find it. */
export class TooManyChecksError extends TypeError {
  override name = "TooManyChecksError";
  readonly code = "too_many_checks";
}

/** @throws {TooManyChecksError} if a commit checks more keys than a remote store accepts */
export function limitChecks(checks: readonly Deno.AtomicCheck[], most: number): void {
  if (checks.length <= most) return;
  const tables = checks.map(({ key }) => String(key[0])).sort();
  throw new TooManyChecksError(`Too many checks (max ${most}): ${tables.join(", ")}`);
}
