/**
 * Pages that depend on neither session nor store, through the whole app, compared with a bare handler
 * that returns the same bytes, with and without the app's headers, in one run. The servers run on one
 * core, the load on another.
 *
 * @module
 */
import { z } from "zod";
import { load, pinned } from "./load.ts";

const BROTLI = { "accept-encoding": "gzip, deflate, br" };

/** Pages, and the least acceptable share of a bare handler's requests per second. */
const PAGES: { host: string; path: string; headers?: Record<string, string> }[] = [
  { host: "commercial.localhost", path: "/" },
  { host: "foundation.localhost", path: "/" },
  { host: "foundation.localhost", path: "/standard/records" },
  { host: "trust.localhost", path: "/terms" },
  { host: "site.localhost", path: "/" },
  { host: "site.localhost", path: "/?q=care&level=3" },
  { host: "site.localhost", path: "/qualifications/CHC50121" },
  { host: "api.localhost", path: "/docs" },
  { host: "commercial.localhost", path: "/", headers: BROTLI },
  { host: "site.localhost", path: "/?q=care&level=3", headers: BROTLI },
];
const TARGET = 0.3;

const cpuSchema = z.object({ requests: z.number(), micros: z.number() });

const SERVERS = ["app", "bare", "headers"] as const;

/** The best rate in requests per second, and the least CPU time in µs per request. */
type Results = Record<typeof SERVERS[number], { rate: number; micros: number }>;

/**
 * Runs the benchmark and prints the results.
 *
 * @param options.seconds the length of each measurement
 * @param options.rounds how often the servers take turns; the best round of each counts, because
 * other load on the machine can only slow it down
 */
export async function run({ seconds = 1.5, rounds = 4 } = {}): Promise<Results[]> {
  const servers = await Promise.all(SERVERS.map(start));
  try {
    console.log(
      `Pages, the best of ${rounds} rounds (load average ${Deno.loadavg()[0].toFixed(1)})`,
    );
    const all: Results[] = [];
    for (const page of PAGES) {
      const best = Object.fromEntries(
        SERVERS.map((name) => [name, { rate: 0, micros: Infinity }]),
      ) as Results;
      for (let round = 0; round < rounds; round++) {
        for (const server of servers) {
          const { rate, micros } = await measure(server.port, page, seconds);
          const result = best[server.name];
          result.rate = Math.max(result.rate, rate);
          result.micros = Math.min(result.micros, micros);
        }
      }
      print(page, best);
      all.push(best);
    }
    return all;
  } finally {
    for (const { process } of servers) process.kill();
    await Promise.all(servers.map(({ process }) => process.status));
  }
}

async function measure(
  port: number,
  { host, path, headers }: typeof PAGES[number],
  seconds: number,
): Promise<{ rate: number; micros: number }> {
  const before = await cpu(port);
  const options = { port, path, hostHeader: host, headers, seconds };
  const { requests_per_second: rate } = await load(options);
  const after = await cpu(port);
  const micros = (after.micros - before.micros) / (after.requests - before.requests);
  return { rate, micros };
}

const cpu = async (port: number) =>
  cpuSchema.parse(await (await fetch(`http://127.0.0.1:${port}/cpu`)).json());

function print({ host, path, headers }: typeof PAGES[number], results: Results): void {
  const { app, bare, headers: all } = results;
  const ratio = app.rate / bare.rate;
  const cpu = (micros: number) => `${micros.toFixed(1)} µs`;
  console.log(
    `${host.split(".")[0]} ${path}${headers ? ", Brotli" : ""}`.padEnd(36),
    `app ${app.rate} (${cpu(app.micros)})  bare ${bare.rate} (${cpu(bare.micros)})`,
    ` with headers ${all.rate} (${cpu(all.micros)})`,
    ` ratio ${ratio.toFixed(2)}, with headers ${(app.rate / all.rate).toFixed(2)},`,
    `by CPU ${(bare.micros / app.micros).toFixed(2)}`,
    ratio < TARGET ? `BELOW ${TARGET}` : "",
  );
}

async function start(name: typeof SERVERS[number]) {
  const script = new URL("./page_servers.ts", import.meta.url).href;
  const [program, ...args] = pinned(0, [Deno.execPath(), "run", "-A", "--frozen", script, name]);
  const process = new Deno.Command(program, { args, stdout: "piped" }).spawn();
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await output.read();
  await output.cancel();
  return { name, process, port: Number(value) };
}

if (import.meta.main) await run();
