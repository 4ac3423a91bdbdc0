/** Services whose functions take what they need as their first parameter. */

type Takes<Context> = (context: Context, ...rest: never[]) => unknown;

/** The functions without their first parameter. */
export type Bound<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends
    (context: never, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never;
};

/**
 * Returns functions without their first parameter, which is the same for all of them. So a service is a list
 * of functions that can be read, and tested, by themselves.
 *
 * @example
 * ```ts
 * export const createTeam = (deps: TeamDeps) => bind(deps, { invite, remove: removeOperator });
 * ```
 */
export const bind = <Context, Functions extends Record<string, Takes<Context>>>(
  context: Context,
  functions: Functions,
): Bound<Functions> =>
  Object.fromEntries(
    Object.entries(functions).map((
      [name, run],
    ) => [name, (...rest: never[]) => run(context, ...rest)]),
  ) as Bound<Functions>;
