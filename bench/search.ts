/**
 * The qualification search through the whole app, compared with a bare handler that returns the same
 * bytes, in one run. The server runs on one core, the load on another.
 *
 * @module
 */
import { load, pinned } from "./load.ts";

const PATHS = ["/", "/?q=care&level=3", "/qualifications/CHC50121"];

/**
 * Runs the benchmark and prints the results.
 *
 * @param options.seconds the length of each measurement
 * @param options.rounds how often the servers take turns; the best round of each counts, because
 * other load on the machine can only slow it down
 * @returns requests per second by path
 */
export async function run(
  { seconds = 1, rounds = 5 } = {},
): Promise<Record<string, { app: number; bare: number }>> {
  const [app, bare] = await Promise.all(["app", "bare"].map(start));
  try {
    const results: Record<string, { app: number; bare: number }> = {};
    for (const path of PATHS) {
      const best = { app: 0, bare: 0 };
      for (let round = 0; round < rounds; round++) {
        for (const [name, { port }] of Object.entries({ app, bare })) {
          const options = { port, path, hostHeader: "site.localhost", seconds };
          const { requests_per_second } = await load(options);
          const key = name as keyof typeof best;
          best[key] = Math.max(best[key], requests_per_second);
        }
      }
      results[path] = best;
    }
    console.log(`Pages of the qualification site, requests per second (best of ${rounds} rounds)`);
    for (const [path, { app, bare }] of Object.entries(results)) {
      const ratio = (app / bare).toFixed(2);
      console.log(`  ${path.padEnd(26)} ${app}  ${ratio} of a bare handler (${bare})`);
    }
    return results;
  } finally {
    for (const { process } of [app, bare]) process.kill();
    await Promise.all([app, bare].map(({ process }) => process.status));
  }
}

async function start(name: string) {
  const script = new URL("./search_servers.ts", import.meta.url).href;
  const [program, ...args] = pinned(0, [Deno.execPath(), "run", "-A", "--frozen", script, name]);
  const process = new Deno.Command(program, { args, stdout: "piped" }).spawn();
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await output.read();
  await output.cancel();
  return { process, port: Number(value) };
}

if (import.meta.main) await run();
