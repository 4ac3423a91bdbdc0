/**
 * `tools/call` requests a second on loopback, in one run: a bare handler, our MCP core, and the
 * SDK's own stateless server. Each server has one core, the load another.
 *
 * @module
 */
import { load, pinned } from "./load.ts";

const NAMES = ["bare", "same", "core", "app", "sdk"] as const;
type Name = typeof NAMES[number];

const CALL = {
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
 * Runs the bench and prints it.
 *
 * @param options.seconds of each measurement
 * @param options.rounds in which the servers take turns; the best of each counts, since what else
 * the machine does can only slow it
 * @returns requests a second by server
 */
export async function run(
  { seconds = 1, rounds = 5 } = {},
): Promise<Record<Name, number>> {
  const servers = await Promise.all(NAMES.map(start));
  try {
    const measured: Record<Name, number[]> = { bare: [], same: [], core: [], app: [], sdk: [] };
    for (let round = 0; round < rounds; round++) {
      for (const { name, port } of servers) {
        const { requests_per_second } = await load({ ...CALL, port, seconds });
        measured[name].push(requests_per_second);
      }
    }
    const [bare, same, core, app, sdk] = NAMES.map((name) => Math.max(...measured[name]));
    console.log(`MCP tools/call, requests a second (the best of ${rounds} rounds)`);
    console.log(`  a bare handler            ${bare}`);
    console.log(`  the same with our headers ${same}  ${(same / bare).toFixed(2)} of bare`);
    console.log(`  our core                  ${core}  ${(core / bare).toFixed(2)} of bare`);
    console.log(
      `  the whole app             ${app}  ${(app / bare).toFixed(2)} of bare, ` +
        `${(app / same).toFixed(2)} of the same bytes`,
    );
    console.log(`  the SDK's stateless one   ${sdk}  ours is ${(app / sdk).toFixed(1)} times it`);
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
