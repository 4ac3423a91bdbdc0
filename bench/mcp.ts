/**
 * `tools/call` requests per second on loopback, measured in one run: a bare handler, our MCP core,
 * the whole app and the SDK's stateless server. The server runs on one core, the load on another.
 *
 * @module
 */
import { compare, type Compared, ratioOf } from "./compare.ts";

const NAMES = ["bare", "same", "core", "app", "sdk"] as const;
type Name = typeof NAMES[number];

/** A call of a tool that reads nothing from the store. */
export const TOOL_CALL = {
  method: "POST",
  path: "/mcp",
  hostHeader: "mcp.foundation.localhost",
  headers: {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "get_qualification", arguments: { code: "BSB50420" } },
  }),
};

const TITLES: Record<Name, string> = {
  bare: "a bare handler",
  same: "the same, our headers",
  core: "our core",
  app: "the whole app",
  sdk: "the SDK's server",
};

/** The app's rate relative to the bare handler's, and to that of one with the same headers. */
const TARGETS = { bare: 0.55, same: 0.85 };

/**
 * Runs the benchmark and prints the results.
 *
 * @param options.seconds the length of each measurement
 * @param options.rounds how often the servers take turns
 */
export async function run(
  { seconds = 0.5, rounds = 9 } = {},
): Promise<Record<Name, Compared>> {
  const script = import.meta.resolve("./mcp_servers.ts");
  const measured = await compare(NAMES, script, TOOL_CALL, { seconds, rounds });
  console.log(
    `MCP tools/call, requests per second (best of ${rounds} rounds), median CPU time each, and ` +
      "relative to the bare handler and to the same headers: median of the rounds' rates (CPU)",
  );
  for (const name of NAMES) {
    const { requests_per_second, cpu_us } = measured[name];
    const ratios = [measured.bare, measured.same].map((other) =>
      `${ratioOf(measured[name], other).toFixed(2)} (${(other.cpu_us / cpu_us).toFixed(2)})`
    );
    console.log(
      `  ${TITLES[name].padEnd(22)} ${requests_per_second}  ${cpu_us.toFixed(1)} µs  ` +
        ratios.join("  "),
    );
  }
  const { bare, same } = TARGETS;
  console.log(`  The targets for the app are ${bare} and ${same}.`);
  return measured;
}

if (import.meta.main) await run();
