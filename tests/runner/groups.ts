/** Finds the test files and divides them into groups that take about as long. */
import { join } from "node:path";
import type { Group } from "./group.ts";
import { storedTimes, timeOf } from "./times.ts";

/** The names that `deno test` takes for test files. */
const TEST_FILE = /(^|[_.])test\.m?[jt]sx?$/;
const SKIPPED = /^(\.|_fresh$|node_modules$)/;

/**
 * Four groups, which all run at once on two cores, because tests often wait. Five took 8% more CPU time and 10% more
 * time for the same tests: each group loads the site. Two of the four start a browser.
 */
const FEWEST_GROUPS = 4;
const WITH_BROWSER = 2;

/** Yields the test files of a folder and its subfolders. */
export function* testFiles(folder: string): Generator<string> {
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory } of entries) {
    if (SKIPPED.test(name)) continue;
    if (isDirectory) yield* testFiles(join(folder, name));
    else if (TEST_FILE.test(name)) yield join(folder, name);
  }
}

/**
 * Divides test files into groups by the CPU times that were measured.
 *
 * @param count how many groups. Default, and at least: 4
 */
export function divide(
  paths: Iterable<string>,
  count = FEWEST_GROUPS,
  times: Record<string, number> = storedTimes(),
): Group[] {
  const groups = Array.from({ length: Math.max(count, FEWEST_GROUPS) }, (_, i) => ({
    name: `Group ${i + 1}`,
    total: 0,
    paths: [] as string[],
  }));
  const timed = Array.from(paths, (path) => ({ path, time: timeOf(path, times) }))
    .sort((a, b) => b.time - a.time);
  const [withBrowser, others] = [true, false].map((wanted) =>
    timed.filter(({ path }) => path.includes("browser") === wanted)
  );
  const choices = [
    ...withBrowser.map((file) => ({ ...file, own: groups.slice(0, WITH_BROWSER) })),
    ...others.map((file) => ({ ...file, own: groups })),
  ];
  for (const { path, time, own } of choices) {
    const emptiest = own.reduce((one, other) => other.total < one.total ? other : one);
    emptiest.total += time;
    emptiest.paths.push(path);
  }
  return groups.filter((group) => group.paths.length > 0);
}
