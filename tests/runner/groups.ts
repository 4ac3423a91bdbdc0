import { join } from "node:path";
import type { Group } from "./group.ts";
import { storedTimes, timeOf } from "./times.ts";

/** The names that `deno test` takes for test files. */
const TEST_FILE = /(^|[_.])test\.m?[jt]sx?$/;
const SKIPPED = /^(\.|_fresh$|node_modules$)/;

type Kind = "browser" | "other";

/**
 * The groups in the order in which they start, with their shares of the CPU time of their kind. Each one loads
 * the site again (about 3 s), and some start a Chromium. Both kinds alternate, because tests without a browser
 * often wait. The last groups are small, so that all jobs end at about the same time.
 */
const GROUPS: readonly (readonly [kind: Kind, share: number])[] = [
  ["browser", 4],
  ["other", 4],
  ["browser", 4],
  ["other", 4],
  ["other", 3],
  ["browser", 2],
];

/** Yields the test files of a folder and its subfolders. */
export function* testFiles(folder: string): Generator<string> {
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory } of entries) {
    if (SKIPPED.test(name)) continue;
    if (isDirectory) yield* testFiles(join(folder, name));
    else if (TEST_FILE.test(name)) yield join(folder, name);
  }
}

/** Divides test files into groups by the CPU times that were measured. */
export function divide(
  paths: Iterable<string>,
  times: Record<string, number> = storedTimes(),
): Group[] {
  const files = Object.groupBy(
    paths,
    (path): Kind => path.includes("browser") ? "browser" : "other",
  );
  const groups = GROUPS.map(([kind, share], i) => ({
    name: `Group ${i + 1} (${kind})`,
    kind,
    share,
    total: 0,
    paths: [] as string[],
  }));
  for (const kind of ["browser", "other"] as const) {
    const own = groups.filter((group) => group.kind === kind);
    const timed = (files[kind] ?? []).map((path) => ({ path, time: timeOf(path, times) }));
    for (const { path, time } of timed.sort((a, b) => b.time - a.time)) {
      const emptiest = own.reduce((one, other) =>
        (other.total + time) / other.share < (one.total + time) / one.share ? other : one
      );
      emptiest.total += time;
      emptiest.paths.push(path);
    }
  }
  return groups.filter((group) => group.paths.length > 0);
}
