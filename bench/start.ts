/**
 * Measures the time from the command `deno task serve`, after a build, to the first responses of
 * `/healthz` and `/`, with a new store in memory.
 *
 * @module
 */
import { freePort } from "../tests/site.ts";
import { median } from "./compare.ts";

/** From the command to the first response, in milliseconds. */
const TARGET_MS = 2_000;

/** Runs the benchmark and prints the results. It needs a build. */
export async function run({ rounds = 10 } = {}): Promise<Record<"health" | "home", number>> {
  const times = { health: [] as number[], home: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const port = freePort();
    const start = performance.now();
    const process = new Deno.Command(Deno.execPath(), {
      args: ["task", "serve"],
      cwd: new URL("..", import.meta.url).pathname,
      env: { PORT: String(port), KV_PATH: ":memory:" },
      stdout: "null",
      stderr: "null",
    }).spawn();
    try {
      await responds(`http://localhost:${port}/healthz`);
      times.health.push(performance.now() - start);
      await responds(`http://localhost:${port}/`);
      times.home.push(performance.now() - start);
    } finally {
      process.kill("SIGTERM");
      await process.status;
    }
  }
  const load = Deno.loadavg()[0].toFixed(1);
  console.log(
    `From \`deno task serve\` to the first response, ${rounds} starts, load average ${load}`,
  );
  for (const [name, path] of [["health", "/healthz"], ["home", "/"]] as const) {
    const [middle, best] = [median(times[name]), Math.min(...times[name])];
    console.log(
      `  ${path.padEnd(9)} median ${Math.round(middle)} ms, best ${Math.round(best)} ms; at most ` +
        `${TARGET_MS}: ${middle <= TARGET_MS ? "met" : "missed"}`,
    );
  }
  return { health: median(times.health), home: median(times.home) };
}

/** Resolves when a URL returns 200. */
async function responds(url: string) {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

if (import.meta.main) await run();
