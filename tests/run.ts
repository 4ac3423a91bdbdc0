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
/** Each group loads the site and starts a Chromium again, and the last groups should end together. */
const GROUPS = { browser: 6, other: 6 };

function* testFiles(folder: string): Generator<string> {
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory } of entries) {
    if (SKIPPED.test(name)) continue;
    if (isDirectory) yield* testFiles(join(folder, name));
    else if (TEST_FILE.test(name)) yield join(folder, name);
  }
}

/** Divides files into groups of about the same size, because longer files take longer. */
function divide(files: readonly string[], count: number): string[][] {
  const groups = Array.from({ length: count }, () => ({ total: 0, paths: [] as string[] }));
  const sized = files.map((path) => ({ path, size: Deno.statSync(path).size }));
  for (const { path, size } of sized.sort((a, b) => b.size - a.size)) {
    const smallest = groups.reduce((one, other) => other.total < one.total ? other : one);
    smallest.total += size;
    smallest.paths.push(path);
  }
  return groups.map(({ paths }) => paths);
}

/** Writes the modules of the groups, and returns their paths. Those with a browser start first. */
function writeGroups(folder: string): string[] {
  const files = Object.groupBy(
    testFiles(ROOT),
    (file) => file.includes("browser") ? "browser" : "other",
  );
  return (["browser", "other"] as const).flatMap((kind) =>
    divide(files[kind] ?? [], GROUPS[kind]).map((own, group) => {
      const path = join(folder, `${kind}_${String(group).padStart(2, "0")}_test.ts`);
      Deno.writeTextFileSync(path, own.map((file) => `import "file://${file}";\n`).join(""));
      return path;
    })
  );
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
