/**
 * Runs the tests: all of them, or those of the given files and folders. The last line is the number of tests
 * that passed and failed.
 *
 *     deno task test
 *     deno task test tests/mcp_test.ts lib/features/chain
 *     deno task test tests/mcp_test.ts --filter=session
 *
 * - `--changed`: runs only the files that depend on something that has changed since they last passed
 * - `--measure`: also writes the CPU time of each file, by which the files are divided
 * - other arguments with a hyphen are passed to `deno test`
 *
 * `deno test` loads and compiles all imported modules again for each test file, which took a third of
 * the suite's time. So the files are divided among a few groups. A group is a module that
 * imports its files, which then share their modules, and one Chromium if they need it.
 *
 * @module
 */
import { join, relative, resolve } from "node:path";
import { MINUTE_MS } from "../lib/base/time.ts";
import { onStopSignal } from "../lib/platform/stop.ts";
import { RUN_FOLDER } from "./run_folder.ts";
import { PassedTests, SourceGraph } from "./runner/changed.ts";
import type { Group } from "./runner/group.ts";
import { divide, testFiles } from "./runner/groups.ts";
import { TIMES_FILE } from "./runner/measure.ts";
import { downloadPackages } from "./runner/packages.ts";
import { runGroups } from "./runner/run_groups.ts";
import { storeTimes, sumTimes } from "./runner/times.ts";

const ROOT = new URL("..", import.meta.url).pathname;
/** Up to this number, each file runs in a process of its own. More of them are faster in groups. */
const MAX_SINGLE = 12;
/** Much longer than any test, on any machine. */
const SILENCE_MS = 5 * MINUTE_MS;

function filesOf(given: string): string[] {
  const path = resolve(given);
  try {
    return Deno.statSync(path).isDirectory ? [...testFiles(path)] : [path];
  } catch {
    console.error(`There is no file or folder ${given}.`);
    Deno.exit(1);
  }
}

function groupsOf(files: readonly string[]): Group[] {
  if (files.length > MAX_SINGLE) return divide(files, wantedJobs === undefined ? undefined : jobs);
  return files.map((path) => ({ name: relative(ROOT, path), paths: [path] }));
}

/** Twice as many as there are cores, because tests also wait for the browser and for timers. */
function jobsOf(given: string | undefined): number {
  if (given === undefined) return 2 * navigator.hardwareConcurrency;
  if (/^[1-9]\d{0,2}$/.test(given)) return Number(given);
  console.error("DENO_JOBS: should be a whole number from 1 to 999, or unset");
  Deno.exit(1);
}

const OWN_FLAGS = ["--changed", "--measure"];
const [onlyChanged, isMeasured] = OWN_FLAGS.map((flag) => Deno.args.includes(flag));
const flags = Deno.args.filter((each) => each.startsWith("-") && !OWN_FLAGS.includes(each));
const paths = Deno.args.filter((argument) => !argument.startsWith("-"));
const all = (paths.length === 0 ? [ROOT] : paths).flatMap(filesOf);
if (all.length === 0) {
  console.error("There are no test files.");
  Deno.exit(1);
}
const graph = new SourceGraph(ROOT);
const passedTests = new PassedTests(join(ROOT, ".data/passed_tests.json"));
/** Read before the tests run, because somebody may edit files meanwhile. */
const digests = new Map(all.map((file) => [file, graph.digest(file)]));
const files = onlyChanged
  ? all.filter((file) => !passedTests.has(relative(ROOT, file), digests.get(file)!))
  : all;
if (files.length < all.length) console.log(`${files.length} of ${all.length} files have changed.`);
const wantedJobs = Deno.env.get("DENO_JOBS");
const jobs = jobsOf(wantedJobs);

if (!await downloadPackages({ root: ROOT, print: console.log })) Deno.exit(1);
const stopping = new AbortController();
onStopSignal(() => stopping.abort());
const folder = Deno.makeTempDirSync({ prefix: "gatehouse-tests-" }); // mode 0700
const measured = join(folder, "measured.jsonl");
const ended: Record<string, string | null> = {};
try {
  const passed = await runGroups(groupsOf(files), {
    root: ROOT,
    folder,
    flags,
    // All temporary files are in the run's own folder. Those of killed processes are removed with it.
    env: { [RUN_FOLDER]: folder, TMPDIR: folder, ...isMeasured && { [TIMES_FILE]: measured } },
    jobs,
    silenceMs: SILENCE_MS,
    verbose: paths.length > 0,
    print: console.log,
    onEnd(group, failed) {
      for (const file of group.paths) {
        ended[relative(ROOT, file)] = failed.includes(file) ? null : digests.get(file)!;
      }
    },
  }, stopping.signal);
  // With flags, some of a file's tests may not have run.
  if (flags.length === 0) passedTests.store(ended);
  if (isMeasured) await storeTimes(sumTimes(await Deno.readTextFile(measured)));
  Deno.exitCode = passed ? 0 : 1;
} finally {
  await removeFolder();
}

/** Removes the run's folder, in which a killed test may have left a mounted file system. */
async function removeFolder(): Promise<void> {
  try {
    await Deno.remove(folder, { recursive: true });
  } catch (error) {
    console.error(`${folder} remains: ${error}`);
  }
}
