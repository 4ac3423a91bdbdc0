/**
 * `tools/call` requests per second on loopback, measured in one run: a bare handler, our MCP core,
 * the whole app and the SDK's stateless server. The server runs on one core, the load on another.
 *
 * @module
 */
import { load, pinned } from "./load.ts";

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

/**
 * Runs the benchmark and prints the results.
 *
 * @param options.seconds the length of each measurement
 * @param options.rounds how often the servers take turns; the best round of each counts, because
 * other load on the machine can only slow it down
 * @returns requests per second by server
 */
export async function run(
  { seconds = 1, rounds = 5 } = {},
): Promise<Record<Name, number>> {
  const servers = await Promise.all(NAMES.map(start));
  try {
    const measured: Record<Name, number[]> = { bare: [], same: [], core: [], app: [], sdk: [] };
    for (let round = 0; round < rounds; round++) {
      for (const { name, port } of servers) {
        const { requests_per_second } = await load({ ...TOOL_CALL, port, seconds });
        measured[name].push(requests_per_second);
      }
    }
    const [bare, same, core, app, sdk] = NAMES.map((name) => Math.max(...measured[name]));
    console.log(`MCP tools/call, requests per second (best of ${rounds} rounds)`);
    console.log(`  a bare handler            ${bare}`);
    console.log(`  the same, our headers     ${same}  ${(same / bare).toFixed(2)} of bare`);
    console.log(`  our core                  ${core}  ${(core / bare).toFixed(2)} of bare`);
    console.log(
      `  the whole app             ${app}  ${(app / bare).toFixed(2)} of bare, ` +
        `${(app / same).toFixed(2)} of the same bytes`,
    );
    console.log(
      `  the SDK's server          ${sdk}  the app is ${(app / sdk).toFixed(1)} times as fast`,
    );
    return { bare, same, core, app, sdk };
  } finally {
    for (const { process } of servers) process.kill();
    await Promise.all(servers.map(({ process }) => process.status));
  }
}

async function start(name: Name) {
  const script = new URL("./mcp_servers.ts", import.meta.url).href;
  const [program, ...args] = pinned(0, [Deno.execPath(), "run", "-A", "--frozen", script, name]);
  const process = new Deno.Command(program, { args, stdout: "piped" }).spawn();
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await output.read();
  await output.cancel();
  return { name, process, port: Number(value) };
}

if (import.meta.main) await run();
