/**
 * Watches every store that is opened after this module was loaded: a test fails if a commit does not check a
 * row that its transaction has read. `tests/run.ts` loads it before each test file.
 *
 * @module
 */
import { forgetActor } from "../authority.ts";
import { type StoreRules, watchRules } from "../store_kv.ts";
import { Reads } from "./reads.ts";

const problems = new Set<string>();

watchRules((rules) => {
  const reads = new Reads((problem) => problems.add(problem));
  rules.onRead = (keys, how) => reads.note(keys, how);
  rules.onCommit = (commit) => reads.examine(commit);
});

/** Stops watching a store, whose calls all come from another store that is watched. */
export const unwatch = (rules: StoreRules): StoreRules =>
  Object.assign(rules, { onRead: () => {}, onCommit: () => {} });

/** Returns what was found since the last call. */
export function takeProblems(): string[] {
  const found = [...problems];
  problems.clear();
  return found;
}

class UncheckedReadError extends Error {
  constructor(found: readonly string[]) {
    super(found.join("\n\n"));
    this.name = "UncheckedReadError";
  }
}

function failIfFound(): void {
  const found = takeProblems();
  if (found.length > 0) throw new UncheckedReadError(found);
}

Deno.test.beforeEach(forgetActor);
Deno.test.afterEach(failIfFound);
Deno.test.afterAll(failIfFound); // after work in the background that outlived the last test
