import type { Catalogue, Qualification } from "./mod.ts";

/** What a qualification replaced, and what replaced it. */
export interface Succession {
  /** Those that it replaced directly, by code. */
  predecessors: Qualification[];
  /** Its successor, the successor's, and so on to the current one. */
  successors: Qualification[];
}

/**
 * Follows a qualification back by one step and forward to the end.
 *
 * @example
 * ```ts
 * const { successors } = successionOf(catalogue, catalogue.get("TAE40110")!);
 * successors.at(-1)?.status; // "current"
 * ```
 */
export function successionOf(catalogue: Catalogue, qualification: Qualification): Succession {
  const successors: Qualification[] = [];
  let next = successorOf(catalogue, qualification);
  // Data that went round in a circle must not keep us here.
  while (next !== undefined && next !== qualification && !successors.includes(next)) {
    successors.push(next);
    next = successorOf(catalogue, next);
  }
  return {
    predecessors: catalogue.all.filter(({ superseded_by }) => superseded_by === qualification.code),
    successors,
  };
}

function successorOf(catalogue: Catalogue, { superseded_by }: Qualification) {
  return superseded_by === undefined ? undefined : catalogue.get(superseded_by);
}
