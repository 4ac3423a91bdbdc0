/**
 * `tools/call` through the whole app, without a token and with one, measured in turns on one server:
 * requests per second, and the server's CPU time, which depends less on other load. The store is a
 * file, because checking a token reads it.
 *
 * @module
 */
import { load, pinned } from "./load.ts";
import { TOOL_CALL } from "./mcp.ts";
import type { Started, Usage } from "./oauth_server.ts";

/** The rate with a token relative to the rate without. */
const TARGET = 0.85;

const TITLES = {
  anonymous: "without a token         ",
  record: "with a holder's token   ",
  noRecord: "a token without a record",
};
type Caller = keyof typeof TITLES;

export interface Measured {
  requests_per_second: number;
  /** The server's CPU time per request, in microseconds. */
  cpu_us: number;
}

export interface OAuthResult extends Record<Caller, Measured> {
  /** The rate with a holder's token relative to the rate without a token. */
  ratio: number;
  met: boolean;
}

/** Runs the benchmark and prints the results. Takes about 30 seconds. */
export async function run({ seconds = 1, rounds = 7 } = {}): Promise<OAuthResult> {
  const script = new URL("./oauth_server.ts", import.meta.url).href;
  const [program, ...args] = pinned(0, [Deno.execPath(), "run", "-A", "--frozen", script]);
  const process = new Deno.Command(program, { args, stdin: "piped", stdout: "piped" }).spawn();
  const input = process.stdin.getWriter();
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const read = async <Line>(): Promise<Line> => JSON.parse((await output.read()).value!);
  try {
    const { port, tokens } = await read<Started>();
    const best = {} as Record<Caller, Measured>;
    for (let round = 0; round < rounds; round++) {
      for (const caller of Object.keys(TITLES) as Caller[]) {
        const token = caller === "anonymous" ? undefined : tokens[caller];
        const headers = new Map(Object.entries(TOOL_CALL.headers));
        if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
        const { requests_per_second } = await load({
          ...TOOL_CALL,
          port,
          seconds,
          headers: Object.fromEntries(headers),
        });
        await input.write(new TextEncoder().encode("\n"));
        const { cpu_us, requests } = await read<Usage>();
        const before = best[caller] ?? { requests_per_second: 0, cpu_us: Infinity };
        best[caller] = {
          requests_per_second: Math.max(before.requests_per_second, requests_per_second),
          cpu_us: Math.min(before.cpu_us, cpu_us / requests),
        };
      }
    }
    return report(best, rounds);
  } finally {
    await input.close();
    await output.cancel();
    await process.status;
  }
}

function report(best: Record<Caller, Measured>, rounds: number): OAuthResult {
  console.log(`MCP tools/call, best of ${rounds} rounds`);
  for (const caller of Object.keys(TITLES) as Caller[]) {
    const { requests_per_second: rate, cpu_us } = best[caller];
    const [ofRate, ofCpu] = [
      rate / best.anonymous.requests_per_second,
      cpu_us / best.anonymous.cpu_us,
    ].map((ratio) => ratio.toFixed(2));
    console.log(
      `  ${TITLES[caller]}  ${rate} per second (${ofRate}), ` +
        `${cpu_us.toFixed(1)} µs of CPU each (${ofCpu})`,
    );
  }
  const ratio = best.record.requests_per_second / best.anonymous.requests_per_second;
  const met = ratio >= TARGET;
  console.log(`  The target of ${TARGET} is ${met ? "met" : "missed"}.`);
  return { ...best, ratio, met };
}

if (import.meta.main) await run();
