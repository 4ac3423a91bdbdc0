import { join } from "node:path";
import type { Group } from "./group.ts";

/** The names that `deno test` takes for test files. */
const TEST_FILE = /(^|[_.])test\.m?[jt]sx?$/;
const SKIPPED = /^(\.|_fresh$|node_modules$)/;

type Kind = "browser" | "other";

/**
 * The groups in the order in which they start, with their shares of the files of their kind. Each one loads
 * the site again, and some start a Chromium. Both kinds alternate, because tests without a browser often
 * wait. The last groups are small, so that all jobs end at about the same time, whatever the times of the
 * others are.
 */
const GROUPS: readonly (readonly [kind: Kind, share: number])[] = [
  ["browser", 4],
  ["other", 4],
  ["browser", 4],
  ["other", 4],
  ["other", 4],
  ["browser", 3],
  ["other", 2],
  ["browser", 2],
  ["browser", 1],
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

/** Divides test files into groups by their sizes. */
export function divide(paths: Iterable<string>): Group[] {
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
    const sized = (files[kind] ?? []).map((path) => ({ path, size: Deno.statSync(path).size }));
    for (const { path, size } of sized.sort((a, b) => b.size - a.size)) {
      const emptiest = own.reduce((one, other) =>
        (other.total + size) / other.share < (one.total + size) / one.share ? other : one
      );
      emptiest.total += size;
      emptiest.paths.push(path);
    }
  }
  return groups.filter((group) => group.paths.length > 0);
}
