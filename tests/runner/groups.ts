/** Finds the test files and divides them into groups that take about as long. */
import { join } from "node:path";
import type { Group } from "./group.ts";
import { storedTimes, timeOf } from "./times.ts";

/** The names that `deno test` takes for test files. */
const TEST_FILE = /(^|[_.])test\.m?[jt]sx?$/;
const SKIPPED = /^(\.|_fresh$|node_modules$)/;

type Kind = "browser" | "other";

/**
 * Five groups, which all run at once on two cores: tests often wait, those without a browser for timers and
 * processes, the others for the browser. Those without a browser take longer and go on alone, and two of them
 * leave the cores idle for a quarter of that time. More groups would load the site more often (about 3 s of CPU
 * each) and start more browsers. All further groups have no browser.
 */
const FEWEST_GROUPS: readonly Kind[] = ["other", "browser", "other", "browser", "other"];

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
 * @param count how many groups. Default, and at least: 5
 */
export function divide(
  paths: Iterable<string>,
  count: number = FEWEST_GROUPS.length,
  times: Record<string, number> = storedTimes(),
): Group[] {
  const files = Object.groupBy(
    paths,
    (path): Kind => path.includes("browser") ? "browser" : "other",
  );
  const more = Array<Kind>(Math.max(count - FEWEST_GROUPS.length, 0)).fill("other");
  const groups = [...FEWEST_GROUPS, ...more].map((kind, i) => ({
    name: `Group ${i + 1} (${kind})`,
    kind,
    total: 0,
    paths: [] as string[],
  }));
  for (const kind of ["browser", "other"] as const) {
    const own = groups.filter((group) => group.kind === kind);
    const timed = (files[kind] ?? []).map((path) => ({ path, time: timeOf(path, times) }));
    for (const { path, time } of timed.sort((a, b) => b.time - a.time)) {
      const emptiest = own.reduce((one, other) => other.total < one.total ? other : one);
      emptiest.total += time;
      emptiest.paths.push(path);
    }
  }
  return groups.filter((group) => group.paths.length > 0);
}
