/**
 * Runs every test. With arguments, it passes them to `deno test`.
 *
 * `deno test` loads and compiles all imported modules again for each test file, which took a third of
 * the suite's time. So the files are divided among a few groups. A group is a module that
 * imports its files, which then share their modules and one Chromium.
 *
 *     deno task test
 *     deno task test tests/mcp_test.ts
 *
 * @module
 */
import { basename, join } from "node:path";

const ROOT = new URL("..", import.meta.url).pathname;
/** The names that `deno test` takes for test files. */
const TEST_FILE = /(^|[_.])test\.m?[jt]sx?$/;
const SKIPPED = /^(\.|_fresh$|node_modules$)/;

type Kind = "browser" | "other";

/**
 * The groups in the order in which they start, with their shares of the files of their kind. Each one
 * loads the site again, and some start a Chromium. Both kinds alternate, because tests without a
 * browser often wait. The last groups are small, so that all jobs end at about the same time.
 */
const GROUPS: readonly (readonly [kind: Kind, share: number])[] = [
  ["browser", 4],
  ["other", 4],
  ["browser", 4],
  ["other", 4],
  ["browser", 4],
  ["other", 4],
  ["browser", 1.6],
  ["browser", 1.4],
  ["other", 1],
];

/** How many characters of tests take about a second. */
const PER_SECOND: Record<Kind, number> = { browser: 1_500, other: 11_500 };

/** The seconds of the files that take much longer than others of their size. */
const LONG: Record<string, number> = {
  "bank_numbers_test.ts": 6,
  "console_states_browser_test.ts": 19,
  "documents_crash_test.ts": 6,
  "mail_crash_test.ts": 5,
  "relay_alone_test.ts": 5,
  "relay_streams_test.ts": 5,
  "sign_in_smtp_test.ts": 4,
  "site_browser_test.ts": 6,
  "stop_test.ts": 5,
};

function* testFiles(folder: string): Generator<string> {
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory } of entries) {
    if (SKIPPED.test(name)) continue;
    if (isDirectory) yield* testFiles(join(folder, name));
    else if (TEST_FILE.test(name)) yield join(folder, name);
  }
}

/** Divides files in the given proportions by the time that they are expected to take. */
function divide(files: readonly string[], kind: Kind, shares: readonly number[]): string[][] {
  const groups = shares.map((share) => ({ share, total: 0, paths: [] as string[] }));
  const timed = files.map((path) => ({
    path,
    seconds: LONG[basename(path)] ?? Deno.statSync(path).size / PER_SECOND[kind],
  }));
  for (const { path, seconds } of timed.sort((a, b) => b.seconds - a.seconds)) {
    const emptiest = groups.reduce((one, other) =>
      (other.total + seconds) / other.share < (one.total + seconds) / one.share ? other : one
    );
    emptiest.total += seconds;
    emptiest.paths.push(path);
  }
  return groups.map(({ paths }) => paths);
}

/** Writes the modules of the groups, and returns their paths. */
function writeGroups(folder: string): string[] {
  const files = Object.groupBy(
    testFiles(ROOT),
    (file): Kind => file.includes("browser") ? "browser" : "other",
  );
  const parts = (kind: Kind) => {
    const shares = GROUPS.filter((group) => group[0] === kind).map(([, share]) => share);
    return divide(files[kind] ?? [], kind, shares);
  };
  const divided = { browser: parts("browser"), other: parts("other") };
  return GROUPS.map(([kind], index) => {
    const path = join(folder, `${String(index).padStart(2, "0")}_${kind}_test.ts`);
    const own = divided[kind].shift()!;
    Deno.writeTextFileSync(path, own.map((file) => `import "file://${file}";\n`).join(""));
    return path;
  });
}

async function denoTest(args: string[]): Promise<number> {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--frozen", "--quiet", "--parallel", "--no-check", ...args],
    cwd: ROOT,
    // One more than there are cores, because tests also wait for the browser and for timers.
    env: { DENO_JOBS: Deno.env.get("DENO_JOBS") ?? String(navigator.hardwareConcurrency + 1) },
  }).spawn().status;
  return code;
}

async function runAll(): Promise<number> {
  const folder = Deno.makeTempDirSync({ prefix: "site-tests-" });
  try {
    return await denoTest(writeGroups(folder));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.exit(Deno.args.length > 0 ? await denoTest(Deno.args) : await runAll());
