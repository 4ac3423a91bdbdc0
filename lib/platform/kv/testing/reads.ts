/** Finds transactions in tests that read rows which their commit does not check. */
import { keyText } from "../key_text.ts";
import { currentActor } from "../authority.ts";
import { currentScope, type Scope } from "../scope.ts";
import type { Commit, How } from "../store_kv.ts";
import { isAllowedOutside } from "./outside_transactions.ts";

interface Read {
  key: Deno.KvKey;
  how: How;
}

/**
 * Notes which rows of a store each transaction reads, and compares them with the rows that its commit checks.
 * A row that was read but not checked may change before the commit, which then acts on what is no longer true.
 * Outside transactions, nobody knows what a commit depends on. So there it must check nothing, and write no row
 * that the request has read.
 */
export class Reads {
  readonly #reads = new WeakMap<object, Map<string, Read>>();
  readonly #report: (problem: string) => void;

  /** @param report called with a description of each problem */
  constructor(report: (problem: string) => void) {
    this.#report = report;
  }

  /** Notes rows that the running transaction reads, or else the running request. */
  note(keys: readonly Deno.KvKey[], how: How): void {
    const scope = currentScope() ?? currentActor();
    if (scope === undefined) return;
    let reads = this.#reads.get(scope);
    if (reads === undefined) this.#reads.set(scope, reads = new Map());
    for (const key of keys) {
      const id = keyText(key);
      if (how === "get" || !reads.has(id)) reads.set(id, { key, how });
    }
  }

  /** Examines a commit before it is attempted. */
  examine(commit: Commit): void {
    if (commit.isEmpty) return;
    const scope = currentScope();
    const problem = scope === undefined ? this.#outside(commit) : this.#unchecked(scope, commit);
    if (problem === null) return;
    const callers = callersOf(stackOf());
    if (scope === undefined && isAllowedOutside(callers)) return;
    this.#report([problem, ...callers.map((line) => `    at ${line}`)].join("\n"));
  }

  #unchecked(scope: Scope, { all }: Commit): string | null {
    if (scope.independent) return null;
    const known = new Set(
      [...all.map(({ key }) => key), ...scope.unchecked].map(keyText),
    );
    const tables = [...this.#reads.get(scope)?.entries() ?? []]
      .filter(([id, { key, how }]) => !known.has(id) && !(how === "list" && isIndex(key)))
      .map(([, { key }]) => String(key[0]));
    return tables.length === 0 ? null : `A transaction reads rows of ${distinct(tables)}, which ` +
      "its commit does not check. Check them, or call unchecked() with the reason.";
  }

  #outside({ own, all, written }: Commit): string | null {
    // A row that must be absent was not read, and a version is that of an earlier read.
    const known = own.filter(({ versionstamp }) => versionstamp !== null);
    if (known.length > 0) {
      return `A commit outside transactions checks rows of ${distinct(known.map(tableOf))}. ` +
        "Use transact() or attemptOnce().";
    }
    const actor = currentActor();
    const reads = actor && this.#reads.get(actor);
    const checked = new Set(all.map(({ key }) => keyText(key)));
    const changed = written.filter((key) =>
      reads?.get(keyText(key))?.how === "get" && !checked.has(keyText(key))
    );
    return changed.length === 0
      ? null
      : `A commit outside transactions writes rows of ${
        distinct(changed.map((key) => tableOf({ key })))
      }, which its request has read. Use transact() or attemptOnce().`;
  }
}

const tableOf = ({ key }: { key: Deno.KvKey }): string => String(key[0]);

const distinct = (tables: readonly string[]): string => [...new Set(tables)].sort().join(", ");

/** An index that is listed only leads to rows, which are read themselves. */
const isIndex = ([table]: Deno.KvKey): boolean => /_by_/.test(String(table));

const ROOT = new URL("../../../../", import.meta.url).href;

/** Returns the current stack, which is longer than the usual ten lines. */
function stackOf(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = limit;
  return stack;
}

/** Returns the product's and the tests' lines of a stack, without those of the store, from the inside out. */
function callersOf(stack: string): string[] {
  return stack.split("\n").flatMap((line) => {
    const start = line.indexOf(ROOT);
    const path = start === -1 ? "" : line.slice(start + ROOT.length).replace(/:\d+\)?$/, "");
    return path === "" || path.includes("node_modules") ||
        /^lib\/platform\/kv\/(?!.*_test\.ts)/.test(path)
      ? []
      : [path];
  });
}
