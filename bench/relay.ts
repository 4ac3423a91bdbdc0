/**
 * Measures the time that a relay adds to a response of 1 KB and of 1 MB on loopback. One run compares
 * the origin directly, through our relay as a separate process, through the smallest relay that Deno
 * allows, and through nginx. Servers run on one core, the load on another.
 *
 * @module
 */
import { SLUG } from "../lib/relay/testing/served_relay.ts";
import { startRelayProcess } from "../lib/relay/testing/relay_process.ts";
import { median } from "./compare.ts";
import { load, pinned } from "./load.ts";
import { startNginx } from "./relay_nginx.ts";

const ROUTES = ["direct", "smallest", "relay", "nginx", "nginx_kept"] as const;
type Route = typeof ROUTES[number];
const TITLES: Record<Route, string> = {
  direct: "the origin itself",
  smallest: "the smallest in Deno",
  relay: "our relay",
  nginx: "nginx",
  nginx_kept: "nginx with keep-alive",
};
const SIZES = {
  "1 KB": { bytes: 1_000, connections: 32 },
  "1 MB": { bytes: 1_000_000, connections: 8 },
};
type Size = keyof typeof SIZES;

/** The median latency with one connection, and the rate with several. Null if it was not measured. */
type Figures = { requests_per_second: number; p50_ms: number } | null;

/** Our relay's added time relative to the smallest relay's. */
const TARGET = 1.3;

/**
 * Runs the benchmark and prints the results.
 *
 * @param options.seconds the length of each measurement; there are two for each route and size
 * @param options.rounds how often the routes take turns; the best round of each counts, because other
 * load on the machine can only slow it down
 */
export async function run(
  { seconds = 0.5, rounds = 9 } = {},
): Promise<Record<Size, Record<Route, Figures>>> {
  await using origin = await startOrigin();
  await using relay = await startRelayProcess({
    RELAY_ORIGIN: `http://127.0.0.1:${origin.port}`,
  }, { on: (command) => pinned(0, command) });
  await using smallest = await startScript(
    "./relay_smallest.ts",
    `http://127.0.0.1:${origin.port}`,
  );
  await using nginx = await startNginx(origin.port);
  const targets: Record<Route, { port: number; prefix?: string } | null> = {
    direct: { port: origin.port },
    smallest: { port: smallest.port },
    relay: { port: relay.port, prefix: `/${SLUG}` },
    nginx: nginx && { port: nginx.plainPort },
    nginx_kept: nginx && { port: nginx.keptPort },
  };

  const empty = (): Record<Route, Figures> => ({
    direct: null,
    smallest: null,
    relay: null,
    nginx: null,
    nginx_kept: null,
  });
  const figures: Record<Size, Record<Route, Figures>> = { "1 KB": empty(), "1 MB": empty() };
  const ratios: Record<Size, number[]> = { "1 KB": [], "1 MB": [] };
  for (let round = 0; round < rounds; round++) {
    for (const size of Object.keys(SIZES) as Size[]) {
      const { bytes, connections } = SIZES[size];
      const medians = {} as Record<Route, number>;
      for (const route of ROUTES) {
        const target = targets[route];
        if (target === null) continue;
        const options = { port: target.port, path: `${target.prefix ?? ""}/${bytes}`, seconds };
        const { p50_ms } = await load({ ...options, connections: 1 });
        medians[route] = p50_ms;
        const { requests_per_second } = await load({ ...options, connections });
        const before = figures[size][route];
        figures[size][route] = {
          p50_ms: Math.min(p50_ms, before?.p50_ms ?? Infinity),
          requests_per_second: Math.max(requests_per_second, before?.requests_per_second ?? 0),
        };
      }
      ratios[size].push(
        (medians.relay - medians.direct) / (medians.smallest - medians.direct),
      );
    }
  }
  print(figures, ratios, rounds);
  return figures;
}

function print(
  figures: Record<Size, Record<Route, Figures>>,
  ratios: Record<Size, number[]>,
  rounds: number,
) {
  const added = (size: Size, route: Route) =>
    (figures[size][route]!.p50_ms - figures[size].direct!.p50_ms) * 1000;
  for (const size of Object.keys(SIZES) as Size[]) {
    const { connections } = SIZES[size];
    console.log(
      `Relay, ${size}: requests per second with ${connections} connections, ` +
        `median latency with one (the best of ${rounds} rounds)`,
    );
    for (const route of ROUTES) {
      const measured = figures[size][route];
      const result = measured === null
        ? "not measured: nginx is not installed"
        : `${String(measured.requests_per_second).padStart(7)}/s ` +
          `${(measured.p50_ms * 1000).toFixed(0).padStart(6)} µs` +
          (route === "direct" ? "" : `, ${added(size, route).toFixed(0)} µs added`);
      console.log(`  ${TITLES[route].padEnd(24)} ${result}`);
    }
  }
  for (const size of Object.keys(SIZES) as Size[]) {
    const best = added(size, "relay") / added(size, "smallest");
    console.log(
      `  ${size}: our relay adds ${best.toFixed(2)} times as much as the smallest one, ` +
        `${
          median(ratios[size]).toFixed(2)
        } in the median of the rounds (target: at most ${TARGET})`,
    );
  }
}

const startOrigin = () => startScript("./relay.ts", "origin");

/** Starts a script on core 0 that prints the port that it listens on. */
async function startScript(script: string, argument: string) {
  const path = import.meta.resolve(script);
  const command = [Deno.execPath(), "run", "-A", "--frozen", path, argument];
  const [program, ...args] = pinned(0, command);
  const process = new Deno.Command(program, { args, stdout: "piped" }).spawn();
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await output.read();
  return {
    port: Number(value),
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
