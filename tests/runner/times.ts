import { relative } from "node:path";
import type { Measured } from "./measure.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const STORED = new URL("cpu_times.json", import.meta.url);
/** Files that take less are not stored, so that only changes that matter change the file. */
const LEAST_S = 0.2;

/** The CPU seconds of test files by their paths from the root, as `deno task test --measure` stored them. */
export function storedTimes(): Record<string, number> {
  return JSON.parse(Deno.readTextFileSync(STORED));
}

/** Returns what a file probably takes, from the times that are stored. */
export function timeOf(path: string, times: Record<string, number>): number {
  return times[relative(ROOT, path)] ?? LEAST_S / 2;
}

/** Adds up what the groups of a run have measured, by file. */
export function sumTimes(lines: string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const line of lines.split("\n").slice(0, -1)) {
    const { file, seconds }: Measured = JSON.parse(line);
    if (file !== null) sums[file] = (sums[file] ?? 0) + seconds;
  }
  return sums;
}

/** Replaces the stored times of the files that were measured, and forgets files that do not exist. */
export async function storeTimes(measured: Record<string, number>): Promise<void> {
  const times: Record<string, number> = {};
  const all = { ...storedTimes(), ...measured };
  for (const path of Object.keys(all).sort()) {
    const exists = await Deno.stat(ROOT + path).then(() => true, () => false);
    if (exists && all[path] >= LEAST_S) times[path] = Math.round(10 * all[path]) / 10;
  }
  await Deno.writeTextFile(STORED, `${JSON.stringify(times, null, 2)}\n`);
}
