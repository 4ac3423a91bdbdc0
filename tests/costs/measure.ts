/** Counts the costs of all requests in a separate process. */
import { RUN_FOLDER, runFolder } from "../run_folder.ts";
import { writeCountedModules } from "./counted_modules.ts";
import type { Effort } from "./meter.ts";
import type { Cost } from "./walk.ts";

/** The costs of requests by section and name. */
export type Costs = Record<string, Record<string, Cost>>;

interface Measured {
  costs: Costs;
  /** The requests that failed, and the routes without a request. */
  problems: string[];
}

/**
 * Sends each request to sites in a process of its own, in which the functions that cost most are counted.
 *
 * @param documented what the requests took before. One that takes more is repeated, in case the machine is busy
 */
export async function measureCosts(
  documented: Record<string, Record<string, Effort>>,
): Promise<Measured> {
  const folder = await Deno.makeTempDir();
  try {
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--frozen",
        "--lock=dev.lock",
        "--no-check",
        "--quiet",
        `--import-map=${await writeCountedModules(folder)}`,
        "tests/costs/walk.ts",
        JSON.stringify(documented),
      ],
      cwd: new URL("../..", import.meta.url),
      env: { [RUN_FOLDER]: runFolder(), TZ: "UTC", TEST_KV_DELAY_MS: "0" },
      stderr: "inherit",
    }).output();
    if (!success) throw new Error("The costs could not be counted.");
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
