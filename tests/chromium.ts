import { join } from "node:path";
import { runFolder } from "./run_folder.ts";

/** The test browser's package, in the version of the lock file. */
const OWN = "@sparticuz/chromium";

/**
 * Unpacks a Chromium from the npm registry, once in a run of the tests, and returns its path.
 *
 * @param name by default the browser of all tests; with a version, a package outside of the lock file
 * @throws {Error} (rejects) if it cannot be loaded, or is for another system
 */
export async function unpackedChromium(name: string = OWN): Promise<string> {
  // The tests of `fresh/` unpack their own version into the folder for temporary files, which is the run's.
  const folder = name === OWN ? runFolder() : join(runFolder(), name.replaceAll("/", "-"));
  await Deno.mkdir(folder, { recursive: true });
  const path = join(folder, "chromium");
  // All processes of a run share it; without the lock, one could start a half-written file.
  using lock = await Deno.open(`${path}.lock`, { create: true, write: true });
  await lock.lock(true);
  if (await Deno.stat(path).then(() => true, () => false)) return path;
  // The package unpacks it into the folder for temporary files, which is another one in this process.
  const module = name === OWN ? import.meta.resolve(OWN) : `npm:${name}`;
  const script = `import chromium from "${module}";
    await chromium.executablePath();`;
  const options = name === OWN ? ["--frozen", "--lock=dev.lock"] : ["--no-lock", "--no-config"];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", ...options, script],
    cwd: new URL("..", import.meta.url),
    env: { TMPDIR: folder },
  }).output();
  if (!success) throw new Error(`Chromium was not unpacked: ${new TextDecoder().decode(stderr)}`);
  return path;
}
