/**
 * Measures the time that a relay adds to a response of 1 KB and of 1 MB on loopback. One run compares
 * the origin directly, through our relay as a separate process, through the smallest relay that Deno
 * allows, through a script that only forwards, and through nginx. Servers run on one core, the load on
 * another.
 *
 * @module
 */
import { CLIENT_ID, CLIENT_SECRET, SLUG } from "../lib/features/relay/testing/served_relay.ts";
import { startRelayProcess } from "../lib/features/relay/testing/relay_process.ts";
import { cpuTime, median } from "./compare.ts";
import { load, pinned } from "./load.ts";
import { startNginx } from "./relay_nginx.ts";

const ROUTES = ["direct", "forwarding", "smallest", "relay", "nginx", "nginx_kept"] as const;
type Route = typeof ROUTES[number];
const TITLES: Record<Route, string> = {
  direct: "the origin itself",
  forwarding: "only forwarding in Deno",
  smallest: "the smallest relay",
  relay: "our relay",
  nginx: "nginx",
  nginx_kept: "nginx with keep-alive",
};
const SIZES = {
  "1 KB": { bytes: 1_000, connections: 8 },
  "1 MB": { bytes: 1_000_000, connections: 8 },
};
type Size = keyof typeof SIZES;

/** The figures of all rounds, each with one connection and with several. Empty if not measured. */
interface Rounds {
  /** Median latencies in milliseconds. */
  one: number[];
  several: number[];
  /** Rates with several connections. */
  rates: number[];
  /** The process's CPU time for a request in microseconds, where its process id is known. */
  cpuOne: number[];
  cpuSeveral: number[];
}

const HOWS = [["one", "cpuOne"], ["several", "cpuSeveral"]] as const;

/** Our relay's added time relative to the smallest relay's. */
const TARGET = 1.3;

/**
 * Runs the benchmark and prints the results.
 *
 * @param options.seconds the length of each measurement; there are two for each route and size
 * @param options.rounds how often the routes take turns; medians of the rounds are compared
 */
export async function run(
  { seconds = 0.5, rounds = 9 } = {},
): Promise<Record<Size, Record<Route, Rounds>>> {
  await using origin = await startOrigin();
  await using relay = await startRelayProcess({
    RELAY_ORIGIN: `http://127.0.0.1:${origin.port}`,
  }, { on: (command) => pinned(0, command) });
  const startSmallest = (...args: string[]) =>
    startScript(
      "./relay_smallest.ts",
      [`http://127.0.0.1:${origin.port}`, ...args],
      // Those of our relay, because each request is checked against them.
      ["--no-prompt", `--allow-net=127.0.0.1:${origin.port},127.0.0.1:0`],
    );
  await using forwarding = await startSmallest();
  await using smallest = await startSmallest(SLUG, CLIENT_ID, CLIENT_SECRET);
  await using nginx = await startNginx(origin.port);
  const targets: Record<Route, { port: number; pid?: number; prefix?: string } | null> = {
    direct: origin,
    forwarding,
    smallest: { ...smallest, prefix: `/${SLUG}` },
    relay: { port: relay.port, pid: relay.pid, prefix: `/${SLUG}` },
    nginx: nginx && { port: nginx.plainPort },
    nginx_kept: nginx && { port: nginx.keptPort },
  };

  const none = (): Rounds => ({ one: [], several: [], rates: [], cpuOne: [], cpuSeveral: [] });
  const empty = (): Record<Route, Rounds> => ({
    direct: none(),
    forwarding: none(),
    smallest: none(),
    relay: none(),
    nginx: none(),
    nginx_kept: none(),
  });
  const figures: Record<Size, Record<Route, Rounds>> = { "1 KB": empty(), "1 MB": empty() };
  for (let round = 0; round < rounds; round++) {
    for (const size of Object.keys(SIZES) as Size[]) {
      const { bytes, connections } = SIZES[size];
      for (const route of ROUTES) {
        const target = targets[route];
        if (target === null) continue;
        const { port, pid, prefix = "" } = target;
        const measure = async (count: number, cpu: number[]) => {
          const before = pid === undefined ? NaN : cpuTime(pid);
          const path = `${prefix}/${bytes}`;
          const result = await load({ port, path, seconds, connections: count });
          const used = pid === undefined ? NaN : cpuTime(pid) - before;
          // The load begins with a warm-up of a fifth of the time.
          cpu.push(used / (result.requests_per_second * seconds * 1.2));
          return result;
        };
        const measured = figures[size][route];
        measured.one.push((await measure(1, measured.cpuOne)).p50_ms);
        const { p50_ms, requests_per_second } = await measure(connections, measured.cpuSeveral);
        measured.several.push(p50_ms);
        measured.rates.push(requests_per_second);
      }
    }
  }
  print(figures, rounds);
  return figures;
}

function print(figures: Record<Size, Record<Route, Rounds>>, rounds: number) {
  const us = (ms: number) => (ms * 1000).toFixed(0).padStart(6);
  for (const size of Object.keys(SIZES) as Size[]) {
    const { connections } = SIZES[size];
    console.log(
      `Relay, ${size}, medians of ${rounds} rounds, load average ${Deno.loadavg()[0].toFixed(1)}`,
    );
    for (const [how, cpu] of HOWS) {
      const named = how === "one" ? "one connection" : `${connections} connections`;
      const of = (route: Route) => median(figures[size][route][how]);
      const best = (route: Route) => Math.min(...figures[size][route][how]);
      for (const route of ROUTES) {
        const measured = figures[size][route];
        const used = median(measured[cpu]);
        const result = measured.rates.length === 0
          ? "not measured: nginx is not installed"
          : `${us(of(route))} µs` +
            (route === "direct" ? "" : `, ${us(of(route) - of("direct"))} µs added`) +
            (Number.isNaN(used) ? "" : `, ${used.toFixed(0)} µs CPU`) +
            (how === "one" ? "" : `, ${Math.max(...measured.rates)}/s at best`);
        console.log(`  ${named.padEnd(14)} ${TITLES[route].padEnd(24)} ${result}`);
      }
      const ratio = (each: typeof of, route: Route) =>
        ((each("relay") - each("direct")) / (each(route) - each("direct"))).toFixed(2);
      console.log(
        `  ${named}: our relay adds ${ratio(of, "smallest")} times as much as the smallest one, ` +
          `${ratio(best, "smallest")} with the best rounds (target: at most ${TARGET}), and ` +
          `${ratio(of, "forwarding")} and ${ratio(best, "forwarding")} times as much as forwarding`,
      );
    }
  }
}

const startOrigin = () => startScript("./relay.ts", ["origin"]);

/** Starts a script on core 0 that prints the port that it listens on. */
async function startScript(script: string, given: string[], permissions = ["-A"]) {
  const path = import.meta.resolve(script);
  const command = [Deno.execPath(), "run", ...permissions, "--frozen", path, ...given];
  const [program, ...args] = pinned(0, command);
  const process = new Deno.Command(program, { args, stdout: "piped" }).spawn();
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await output.read();
  return {
    port: Number(value),
    pid: process.pid,
    async [Symbol.asyncDispose]() {
      process.kill();
      await process.status;
      await output.cancel();
    },
  };
}

/** Prints a free port, and responds on it to `/{bytes}` with that many bytes. */
function serveOrigin() {
  const bodies = new Map<string, Uint8Array<ArrayBuffer>>();
  const onListen = ({ port }: Deno.NetAddr) => console.log(port);
  Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, ({ url }) => {
    const size = url.slice(url.lastIndexOf("/") + 1);
    const body = bodies.get(size) ?? new Uint8Array(Number(size)).fill(0x2e);
    bodies.set(size, body);
    return new Response(body, { headers: { "content-type": "application/octet-stream" } });
  });
}

if (import.meta.main) await (Deno.args[0] === "origin" ? serveOrigin() : run());
