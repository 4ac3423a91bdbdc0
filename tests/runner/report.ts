/** Reads the output of `deno test`, and notices tests that did not run. */
import { stripVTControlCharacters } from "node:util";

const PLAN = /^running (\d+) tests? from /;
// A title may contain a line separator (U+2028), which a dot matches only with the flag.
const RESULT = /^(.+) \.\.\. (ok|FAILED|ignored|cancelled)(?: \(.*\))?$/s;
const STARTED = /^(.+) \.\.\.$/s;
// Deno appends this to the title of a test that takes a minute, and then prints the result alone.
const SLOW = /^(.+) \.\.\.'\1' has been running for over /s;
const SLOW_RESULT = /^ (ok|FAILED|ignored|cancelled)(?: \(.*\))?$/;
const SUMMARY = /^(?:ok|FAILED) \| (\d+) passed.* \| (\d+) failed/;
const ONLY = 'error: Test failed because the "only" option was used';
const FILTERED = / \| (\d+) filtered out/;

/** The results that `deno test` has printed about the tests of one module. */
export class Report {
  /** How many tests were registered and not filtered out; null if the module was not loaded. */
  planned: number | null = null;
  passed = 0;
  failed = 0;
  ignored = 0;
  filtered = 0;
  /** True if tests were left out because of `Deno.test.only`. */
  usesOnly = false;
  /** True if the summary, which comes last, was printed and agrees with the results. */
  complete = false;
  /** The test that has started and not ended. */
  running: string | null = null;
  /** The slow test whose result will be printed without its title. */
  #slow: string | null = null;
  /** The failed tests with their files, as Deno lists them. */
  readonly failures: string[] = [];
  /** Their errors with messages and stacks, line by line, without blank lines. */
  readonly errors: string[] = [];
  #part: "results" | "output" | "errors" | "failures" = "results";

  /** Reads one line of the default reporter, which may have colours. */
  read(coloured: string): void {
    const line = stripVTControlCharacters(coloured);
    // Output of tests and messages of errors could look like a result.
    if (this.#part === "output") {
      if (/^-+ output end -+$/.test(line)) this.#part = "results";
    } else if (this.#part === "results") this.#readResult(line);
    else this.#readEnd(line);
  }

  /** Reads one line of the standard error. */
  readError(coloured: string): void {
    if (stripVTControlCharacters(coloured).startsWith(ONLY)) this.usesOnly = true;
  }

  #readResult(line: string): void {
    if (/^-+ output -+$/.test(line)) this.#part = "output";
    else if (line === " ERRORS ") this.#part = "errors";
    else if (SUMMARY.test(line)) this.#readEnd(line);
    else if (line.startsWith(" ")) {
      const result = this.#slow === null ? null : SLOW_RESULT.exec(line);
      if (result !== null) this.#count(this.#slow!, result[1]);
      this.#slow = null; // a step has begun, so the result will have the title
    } else {
      this.#slow = SLOW.exec(line)?.[1] ?? this.#slow;
      const plan = PLAN.exec(line);
      const result = RESULT.exec(line);
      if (plan !== null) this.planned ??= Number(plan[1]);
      if (result !== null) this.#count(result[1], result[2]);
      else this.running = STARTED.exec(line)?.[1] ?? this.#slow ?? this.running;
    }
  }

  /** Reads what follows the results. The message of an error may contain the same lines, so the last count. */
  #readEnd(line: string): void {
    const summary = SUMMARY.exec(line);
    if (summary !== null) {
      this.complete = Number(summary[1]) === this.passed;
      this.filtered = Number(FILTERED.exec(line)?.[1] ?? 0);
      this.#part = "errors";
    } else if (line === " FAILURES ") {
      this.errors.push(...this.failures.splice(0));
      this.#part = "failures";
    } else if (line !== "") this[this.#part === "failures" ? "failures" : "errors"].push(line);
  }

  #count(name: string, result: string): void {
    // The first test that is cancelled was running when the module failed.
    if (result === "cancelled") {
      this.running ??= name;
      return;
    }
    this.running = this.#slow = null;
    if (result === "ok") this.passed++;
    else if (result === "ignored") this.ignored++;
    else this.failed++;
  }

  /** How many tests should have run and did not, or not to their end. */
  get lost(): number {
    const missing = (this.planned ?? 0) - this.passed - this.failed - this.ignored;
    return missing + (this.usesOnly ? this.filtered : 0);
  }
}
