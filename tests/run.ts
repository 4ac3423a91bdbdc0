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
import { join } from "node:path";

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
  ["other", 3],
  ["browser", 2],
  ["other", 2],
  ["browser", 1],
];

function* testFiles(folder: string): Generator<string> {
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory } of entries) {
    if (SKIPPED.test(name)) continue;
    if (isDirectory) yield* testFiles(join(folder, name));
    else if (TEST_FILE.test(name)) yield join(folder, name);
  }
}

/** Divides files by their sizes in the given proportions, because longer files take longer. */
function divide(files: readonly string[], shares: readonly number[]): string[][] {
  const groups = shares.map((share) => ({ share, total: 0, paths: [] as string[] }));
  const sized = files.map((path) => ({ path, size: Deno.statSync(path).size }));
  for (const { path, size } of sized.sort((a, b) => b.size - a.size)) {
    const emptiest = groups.reduce((one, other) =>
      (other.total + size) / other.share < (one.total + size) / one.share ? other : one
    );
    emptiest.total += size;
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
    return divide(files[kind] ?? [], shares);
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
