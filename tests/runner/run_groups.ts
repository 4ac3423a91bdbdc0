/** Runs all groups of test files side by side and prints the result. */
import { basename, relative, resolve } from "node:path";
import { type Group, type GroupOptions, type GroupOutcome, runGroup } from "./group.ts";

interface RunOptions extends Omit<GroupOptions, "onLine"> {
  /** How many groups run at the same time. */
  jobs: number;
  /** True to print what every group prints. Otherwise only what those print that fail. */
  verbose: boolean;
  print(line: string): void;
  /** Receives each group that has ended, unless its files run again, and which of them failed. */
  onEnd?(group: Group, failed: readonly string[]): void;
}

/** Returns the name of a group with its files, for messages about incomplete groups. */
const titleOf = ({ name, paths }: Group): string =>
  paths.length === 1
    ? name
    : `${name} (${paths.length} files: ${paths.map((path) => basename(path)).join(", ")})`;

/** Returns the files of a group that failed: all of them, if that is not certain. */
function failedFiles({ paths }: Group, { report, problem }: GroupOutcome, root: string): string[] {
  const named = report.failures.map((line) =>
    resolve(root, /=> (\S+):\d+:\d+$/.exec(line)?.[1] ?? "")
  );
  const isCertain = problem === null && named.length >= report.failed &&
    named.every((path) => paths.includes(path));
  return isCertain ? [...new Set(named)] : [...paths];
}

/**
 * Runs groups of tests, some at the same time, and prints which failed and the number of tests. A group whose
 * module cannot be loaded is run again file by file, so that one file does not hide the tests of others.
 * Tests without a result count as failed, and so does a file that cannot be loaded.
 *
 * @param groups in the order in which they start
 * @returns whether every test ran and passed
 */
export async function runGroups(
  groups: readonly Group[],
  options: RunOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { jobs, verbose, print, root, onEnd } = options;
  const queue = [...groups];
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: string[] = [];
  const errors: string[] = [];
  const problems: string[] = [];
  let running = 0;
  const wake: (() => void)[] = [];

  function finish(group: Group, outcome: GroupOutcome, seconds: number): void {
    const { report, output, problem } = outcome;
    const { passed, failed, ignored, planned } = report;
    const isRepeated = planned === null && group.paths.length > 1;
    if ((problem !== null || failed > 0) && !verbose) print(output.trimEnd());
    print(`${group.name}: ${passed} passed, ${failed} failed in ${seconds.toFixed(1)} s`);
    if (problem !== null) print(`${group.name} ${problem}.`);
    if (isRepeated) {
      print(`${group.name} runs again file by file.`);
      queue.push(...group.paths.map((path) => ({ name: relative(root, path), paths: [path] })));
      return;
    }
    onEnd?.(group, failedFiles(group, outcome, root));
    counts.passed += passed;
    counts.skipped += ignored;
    // A group that fails without a failed test counts as one.
    counts.failed += Math.max(failed + report.lost, problem === null ? 0 : 1);
    failures.push(...report.failures);
    if (failed > 0) errors.push(...report.errors);
    if (problem !== null) problems.push(`${titleOf(group)} ${problem}.`);
  }

  async function work(): Promise<void> {
    for (;;) {
      const group = signal.aborted ? undefined : queue.shift();
      if (group === undefined) {
        // A group that is running may have to be repeated.
        if (running === 0) return wake.splice(0).forEach((run) => run());
        await new Promise<void>((resolve) => wake.push(resolve));
        continue;
      }
      running++;
      const begun = performance.now();
      const onLine = verbose ? print : undefined;
      const outcome = await runGroup(group, { ...options, onLine }, signal);
      running--;
      finish(group, outcome, (performance.now() - begun) / 1000);
      wake.splice(0).forEach((run) => run());
    }
  }

  await Promise.all(Array.from({ length: jobs }, work));
  // The errors are repeated here, because a group's output is long, and some logs of CI keep only the end.
  if (failures.length > 0) print(["", ...errors, "", "Failed:", ...failures].join("\n"));
  if (problems.length > 0) print(["", "Incomplete:", ...problems].join("\n"));
  const skipped = counts.skipped === 0 ? "" : `, ${counts.skipped} skipped`;
  print(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`);
  return counts.failed === 0 && queue.length === 0 && !signal.aborted;
}
