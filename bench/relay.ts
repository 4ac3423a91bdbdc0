/**
 * What a relay adds to an answer of 1 KB and of 1 MB, on loopback in one run: the origin asked
 * directly, through our relay as a process of its own, and through nginx. Servers have one core,
 * the load another.
 *
 * @module
 */
import { CLIENT_ID, CLIENT_SECRET, SLUG } from "../lib/relay/testing/served_relay.ts";
import { startRelayProcess } from "../lib/relay/testing/relay_process.ts";
import { pinned } from "./load.ts";
import { relayLoad } from "./relay_load.ts";
import { startNginx } from "./relay_nginx.ts";

const WAYS = ["direct", "relay", "nginx", "nginx_kept"] as const;
type Way = typeof WAYS[number];
const TITLES: Record<Way, string> = {
  direct: "the origin itself",
  relay: "our relay",
  nginx: "nginx",
  nginx_kept: "nginx, connections kept",
};
const SIZES = {
  "1 KB": { bytes: 1_000, connections: 32 },
  "1 MB": { bytes: 1_000_000, connections: 8 },
};
type Size = keyof typeof SIZES;

/** The median is that of one connection, the rate that of several; null: not run. */
type Figures = { requests_per_second: number; p50_ms: number } | null;

/**
 * Runs the bench and prints it.
 *
 * @param options.seconds of each measurement, two for each way and size
 * @param options.rounds in which the ways take turns; the best of each counts, since what else the
 * machine does can only slow it
 */
export async function run(
  { seconds = 1, rounds = 3 } = {},
): Promise<Record<Size, Record<Way, Figures>>> {
  await using origin = await startOrigin();
  await using relay = await startRelayProcess({
    RELAY_ORIGIN: `http://127.0.0.1:${origin.port}`,
    RELAY_SLUG: SLUG,
    RELAY_CLIENT_ID: CLIENT_ID,
    RELAY_CLIENT_SECRET: CLIENT_SECRET,
  }, { on: (command) => pinned(0, command) });
  await using nginx = await startNginx(origin.port);
  const places: Record<Way, { port: number; prefix?: string } | null> = {
    direct: { port: origin.port },
    relay: { port: relay.port, prefix: `/${SLUG}` },
    nginx: nginx && { port: nginx.plainPort },
    nginx_kept: nginx && { port: nginx.keptPort },
  };

  const nothing = (): Record<Way, Figures> => ({
    direct: null,
    relay: null,
    nginx: null,
    nginx_kept: null,
  });
  const figures: Record<Size, Record<Way, Figures>> = { "1 KB": nothing(), "1 MB": nothing() };
  for (let round = 0; round < rounds; round++) {
    for (const size of Object.keys(SIZES) as Size[]) {
      const { bytes, connections } = SIZES[size];
      for (const way of WAYS) {
        const place = places[way];
        if (place === null) continue;
        const options = { port: place.port, path: `${place.prefix ?? ""}/${bytes}`, seconds };
        const { p50_ms } = await relayLoad({ ...options, connections: 1 });
        const { requests_per_second } = await relayLoad({ ...options, connections });
        const before = figures[size][way];
        figures[size][way] = {
          p50_ms: Math.min(p50_ms, before?.p50_ms ?? Infinity),
          requests_per_second: Math.max(requests_per_second, before?.requests_per_second ?? 0),
        };
      }
    }
  }
  print(figures, rounds);
  return figures;
}

function print(figures: Record<Size, Record<Way, Figures>>, rounds: number) {
  const added = (size: Size, way: Way) =>
    (figures[size][way]!.p50_ms - figures[size].direct!.p50_ms) * 1000;
  for (const size of Object.keys(SIZES) as Size[]) {
    const { connections } = SIZES[size];
    console.log(
      `Relay, ${size}: requests a second with ${connections} connections, ` +
        `median latency with one (the best of ${rounds} rounds)`,
    );
    for (const way of WAYS) {
      const measured = figures[size][way];
      const result = measured === null
        ? "not run: nginx is not installed"
        : `${String(measured.requests_per_second).padStart(7)}/s ` +
          `${(measured.p50_ms * 1000).toFixed(0).padStart(6)} µs` +
          (way === "direct" ? "" : `, ${added(size, way).toFixed(0)} µs added`);
      console.log(`  ${TITLES[way].padEnd(24)} ${result}`);
    }
  }
  if (figures["1 KB"].nginx === null) return;
  const ratio = added("1 KB", "relay") / added("1 KB", "nginx");
  console.log(`  1 KB: our relay adds ${ratio.toFixed(2)} times what nginx adds (aim: at most 3)`);
}

async function startOrigin() {
  const script = new URL("./relay_origin.ts", import.meta.url).href;
  const [program, ...args] = pinned(0, [Deno.execPath(), "run", "-A", "--frozen", script]);
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

if (import.meta.main) await run();
