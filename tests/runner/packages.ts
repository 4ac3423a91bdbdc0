/**
 * Downloads the packages before several processes would do so at the same time, which some registries and
 * networks refuse.
 *
 * @module
 */

/** How long to wait before each repetition. */
const WAITS_MS = [1_000, 5_000, 15_000];

interface DownloadOptions {
  /** The folder with the `deno.json`. */
  root: string;
  print(line: string): void;
  /** Runs Deno with arguments; replaced in tests. */
  run?: (args: readonly string[]) => Promise<{ success: boolean; text: string }>;
  /** Resolves after milliseconds; replaced in tests. */
  wait?: (ms: number) => Promise<void>;
}

/** One import is enough: Deno then downloads all packages of the lock file. The bundler is a download of its own. */
const IMPORTED = "tests/runner/imported_package.ts";
const LOCKED = ["--frozen", "--lock=dev.lock"];
const COMMANDS = [
  ["cache", ...LOCKED, IMPORTED],
  ["bundle", "--quiet", ...LOCKED, "--output=/dev/null", IMPORTED],
];

/**
 * Downloads all packages of `dev.lock` that are not in Deno's cache, and the bundler. Takes a tenth of a second
 * if everything is there.
 *
 * @returns whether everything is there. Otherwise the reason was printed
 */
export async function downloadPackages(options: DownloadOptions): Promise<boolean> {
  const { root, print, run = (args) => runDeno(root, args) } = options;
  const { wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)) } = options;
  const begun = performance.now();
  let isNew = false;
  for (const args of COMMANDS) {
    for (const waitMs of [...WAITS_MS, null]) {
      const { success, text } = await run(args);
      if (success) {
        // Deno names what it has downloaded.
        isNew ||= text.trim() !== "";
        break;
      }
      // Repetitions do not help against a package that the lock file lacks.
      if (waitMs === null || text.includes("lockfile")) {
        print(`The packages could not be downloaded.\n${text.trimEnd()}`);
        return false;
      }
      await wait(waitMs);
    }
  }
  const seconds = (performance.now() - begun) / 1000;
  if (isNew) print(`Downloaded the packages in ${seconds.toFixed(1)} s`);
  return true;
}

async function runDeno(root: string, args: readonly string[]) {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: root,
    env: { NO_COLOR: "1" },
    stdout: "null",
    stderr: "piped",
  }).output();
  return { success, text: new TextDecoder().decode(stderr) };
}
