/**
 * Tells which transaction the running code belongs to, and which of its reads need no check: `unchecked` for some rows,
 * `independent` for all of them, `apart` for what a function reads. `asSite` (authority.ts) is about something else: it
 * leaves out the check of the sender's authority.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** One attempt of a transaction. Stores of tests compare what it reads with what its commit checks. */
export class Scope {
  /** The keys that the commit need not check, see {@linkcode unchecked}. */
  readonly unchecked: Deno.KvKey[] = [];
  /** True if the commit depends on nothing that was read, see {@linkcode independent}. */
  independent = false;
  /** True once the attempt is over. Work that it has started may go on. */
  ended = false;
}

const scopes = new AsyncLocalStorage<Scope | undefined>();

/** Returns the attempt that the running code belongs to; undefined outside transactions. */
export function currentScope(): Scope | undefined {
  const scope = scopes.getStore();
  return scope?.ended ? undefined : scope;
}

/** Runs a function, and everything that it starts, as one attempt of a transaction, or outside of any. */
export const inScope = <Result>(scope: Scope | undefined, run: () => Result): Result =>
  scopes.run(scope, run);

/**
 * Runs a part of the running transaction on which its commit does not depend.
 *
 * @param _why the reason, for whoever reads the code
 */
export const apart = <Result>(_why: string, run: () => Result): Result => inScope(undefined, run);

/**
 * Says why the commit of the running transaction does not check rows that the transaction has read. A row
 * that it neither checks nor names here fails the tests.
 *
 * @param _why the reason, for whoever reads the code
 * @param entries the rows as they were read
 *
 * @example
 * ```ts
 * const { value: request } = entry;
 * unchecked("A request never changes.", entry);
 * ```
 */
export function unchecked(_why: string, ...entries: readonly { key: Deno.KvKey }[]): void {
  currentScope()?.unchecked.push(...entries.map(({ key }) => key));
}

/**
 * Says why the commit of the running transaction depends on nothing that the transaction has read, for example
 * because it only counts a refusal.
 *
 * @param _why the reason, for whoever reads the code
 */
export function independent(_why: string): void {
  const scope = currentScope();
  if (scope !== undefined) scope.independent = true;
}
