import { freePort } from "../tests/site.ts";
import { median } from "./compare.ts";
import { startServe } from "./processes.ts";
import { atMost, integer, type Table } from "./table.ts";

/** From the command to the first response, in milliseconds. */
const TARGET_MS = 2_000;
const PATHS = ["/healthz", "/"];

/** Measures the time from `deno task serve`, after a build, to the first responses. */
export async function run({ rounds }: { rounds: number }): Promise<Table[]> {
  const times = PATHS.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    const port = freePort();
    const start = performance.now();
    await using _ = await startServe(port, { KV_PATH: ":memory:" });
    for (const [i, path] of PATHS.entries()) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      await response.body?.cancel();
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      times[i].push(performance.now() - start);
    }
  }
  return [{
    title: "`start`: from the command `deno task serve` to the first response",
    columns: ["path", "median", "best", "target"],
    rows: PATHS.map((path, i) => [
      `\`${path}\``,
      `${integer(median(times[i]))} ms`,
      `${integer(Math.min(...times[i]))} ms`,
      atMost(TARGET_MS, median(times[i])),
    ]),
  }];
}
