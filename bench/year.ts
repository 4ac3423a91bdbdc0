/**
 * Simulates a year of use: fills a store, and compares the site on it with the site on a nearly empty
 * store, which has the same recent records: the store's size, the time to start, memory, and the
 * response time and CPU time of each read, in alternation.
 *
 * `deno task bench year` fills the store with a twentieth of a year, `deno task bench year --full` with
 * a whole one, and `--records=1000 --events=10000 --sessions=2000` with the given numbers.
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { verifyChain } from "../lib/features/chain/mod.ts";
import { createChains } from "../lib/features/chain/store/mod.ts";
import { readAll } from "../lib/features/chain/testing/fixtures.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { cpuTime, median } from "./compare.ts";
import { pinned } from "./load.ts";
import { connect, YEAR_READS, type YearClient } from "./year_requests.ts";
import { type FilledStore, fillStore, type YearSizes } from "./year_store.ts";

const TARGET = 1.2;
const STORES = ["empty", "year"] as const;
type StoreName = typeof STORES[number];
/** Two servers with the same port have the same publisher, which signed heads name. */
const HOSTS: Record<StoreName, string> = { empty: "127.0.0.1", year: "127.0.0.2" };
const YEAR: YearSizes = { records: 100_000, events: 1_000_000, sessions: 200_000 };
/** The share of a year that is filled in by default. */
const SMALL = 0.05;
const STARTS = 5;
const VERIFIED = 50;

const options = () =>
  parseArgs({
    args: Deno.args.filter((arg) => arg.startsWith("--")),
    options: {
      /** Fills in the whole year, which takes about ten minutes. */
      full: { type: "boolean", default: false },
      records: { type: "string" },
      events: { type: "string" },
      sessions: { type: "string" },
      rounds: { type: "string", default: "10" },
      requests: { type: "string", default: "40" },
      port: { type: "string", default: "8218" },
      /** A folder for the stores, which are then kept and used again. */
      folder: { type: "string" },
    },
  }).values;

/** Runs the benchmark and prints the results. It needs a build. */
export async function run(): Promise<void> {
  const { rounds, requests, port, folder: kept, full, ...sizes } = options();
  const folder = kept ?? await Deno.makeTempDir();
  const share = full ? 1 : SMALL;
  const year = {
    records: Number(sizes.records ?? share * YEAR.records),
    events: Number(sizes.events ?? share * YEAR.events),
    sessions: Number(sizes.sessions ?? share * YEAR.sessions),
  };
  try {
    const stores = {} as Record<StoreName, OpenStore>;
    for (const name of STORES) {
      stores[name] = await prepare(join(folder, name), name, port, name === "year" ? year : null);
    }
    await verifySample(stores.year, port);
    const servers = await compareStarts(stores);
    try {
      await compareReads(stores, servers, {
        rounds: Number(rounds),
        requests: Number(requests),
        port: Number(port),
      });
    } finally {
      for (const name of STORES) await stop(servers[name]);
    }
  } finally {
    if (kept === undefined) await Deno.remove(folder, { recursive: true });
  }
}

interface OpenStore {
  env: Record<string, string>;
  found: FilledStore;
}

async function prepare(
  folder: string,
  name: StoreName,
  port: string,
  year: YearSizes | null,
): Promise<OpenStore> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const env = {
    PORT: port,
    HOST: HOSTS[name],
    KV_PATH: join(folder, "store.kv"),
    APP_SECRET: "A".repeat(43),
    BANK_SANDBOX: "off",
    MCP_RATE_LIMIT: "0",
    TRUST_PROXY: "1",
  };
  const foundPath = join(folder, "found.json");
  const before = await Deno.readTextFile(foundPath).then(JSON.parse, () => null);
  const start = performance.now();
  const found: FilledStore = before?.found ?? await fillStore(env, year);
  const seconds = before?.seconds ?? (performance.now() - start) / 1000;
  await Deno.writeTextFile(foundPath, JSON.stringify({ found, seconds }));
  const rows = await countRows(env.KV_PATH);
  const { size } = await Deno.stat(env.KV_PATH);
  console.log(
    `year, the ${name} store: filled in ${seconds.toFixed(0)} s, ${megabytes(size)} MB, ` +
      `${Object.values(rows).reduce((sum, n) => sum + n, 0).toLocaleString("en-US")} rows`,
  );
  if (year !== null) console.log(`  ${JSON.stringify(rows)}`);
  return { env, found };
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

/** Counts the rows of a store by the first part of their keys. */
async function countRows(path: string): Promise<Record<string, number>> {
  using kv = await openKv(path);
  const rows: Record<string, number> = {};
  for await (const { key } of kv.list({ prefix: [] }, { batchSize: 500 })) {
    const [first] = key as [string];
    rows[first] = (rows[first] ?? 0) + 1;
  }
  return rows;
}

/** Verifies some chains with their heads and the publisher's keys, as a reader does. */
async function verifySample({ env, found }: OpenStore, port: string): Promise<void> {
  using kv = await openKv(env.KV_PATH);
  const publisher = `trust.localhost:${port}`;
  const chains = createChains({ kv, clock: Date.now, publisher, signingKey: undefined });
  const hashes = [found.hash, ...found.hashes.filter((_, i) => i % 20 === 0).slice(0, VERIFIED)];
  const { keys } = await chains.keys();
  for (const recordHash of hashes) {
    const [events, head] = [await readAll(chains, recordHash), await chains.head(recordHash)];
    const result = await verifyChain({ recordHash, events, head, publisher, keys });
    if (!result.ok) throw new Error(`A chain is not valid: ${JSON.stringify(result)}`);
  }
  console.log(`year, ${hashes.length} chains of the sample are valid`);
}

interface Server {
  process: Deno.ChildProcess;
  /** From the command until the first response. */
  startMs: number;
}

/** Starts the sites in turn, and returns the last ones, which run. */
async function compareStarts(
  stores: Record<StoreName, OpenStore>,
): Promise<Record<StoreName, Server>> {
  const times: Record<StoreName, number[]> = { empty: [], year: [] };
  const memory: Record<StoreName, number[]> = { empty: [], year: [] };
  const servers = {} as Record<StoreName, Server>;
  for (let i = 0; i < STARTS; i++) {
    for (const name of STORES) {
      servers[name] = await startServer(stores[name].env);
      times[name].push(servers[name].startMs);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      memory[name].push(rss(servers[name].process.pid));
      if (i < STARTS - 1) await stop(servers[name]);
    }
  }
  for (const name of STORES) {
    console.log(
      `year, the ${name} store: the first response after ${median(times[name]).toFixed(0)} ms ` +
        `(median of ${STARTS}, ${Math.min(...times[name]).toFixed(0)} to ` +
        `${Math.max(...times[name]).toFixed(0)}), ${megabytes(median(memory[name]))} MB of ` +
        "memory 1 s later",
    );
  }
  console.log(`year, start: ratio ${(median(times.year) / median(times.empty)).toFixed(2)}`);
  return servers;
}

async function startServer(env: Record<string, string>): Promise<Server> {
  const script = new URL("../serve.ts", import.meta.url).pathname;
  const command = pinned(0, [Deno.execPath(), "run", "-A", "--frozen", script]);
  const start = performance.now();
  const process = new Deno.Command(command[0], {
    args: command.slice(1),
    env,
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  for (;;) {
    try {
      const client = await connect(env.HOST, Number(env.PORT));
      await client.send({ host: "foundation.localhost", path: "/" });
      client.close();
      return { process, startMs: performance.now() - start };
    } catch (error) {
      if (!(error instanceof Deno.errors.ConnectionRefused)) throw error;
      if (performance.now() - start > 60_000) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

async function stop({ process }: Server): Promise<void> {
  process.kill("SIGTERM");
  await process.status;
}

/** Returns the memory of a process in bytes. */
function rss(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) * 1024;
}

/** The measurements of a read in one store. */
interface Measured {
  ms: number[];
  /** Per request, by round. */
  cpu: number[];
  bytes: number;
}

async function compareReads(
  stores: Record<StoreName, OpenStore>,
  servers: Record<StoreName, Server>,
  { rounds, requests, port }: { rounds: number; requests: number; port: number },
): Promise<void> {
  const clients = {} as Record<StoreName, YearClient>;
  for (const name of STORES) clients[name] = await connect(HOSTS[name], port);
  const results = YEAR_READS.map(() => ({ empty: none(), year: none() }));
  console.log(`year, load average before: ${Deno.loadavg()[0].toFixed(1)}`);
  let i = 0;
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { request, share = 1 }] of YEAR_READS.entries()) {
      const count = Math.max(1, Math.round(requests * share));
      const before = cpuOf(servers);
      for (let sent = 0; sent < count; sent++, i++) {
        // The store that comes first changes, because the second may find the processor's caches full.
        for (const name of i % 2 === 0 ? STORES : STORES.toReversed()) {
          const { ms, bytes } = await clients[name].send(request(stores[name].found, i));
          if (round > 0) results[index][name].ms.push(ms); // the first round warms up
          results[index][name].bytes = bytes;
        }
      }
      const after = cpuOf(servers);
      if (round === 0) continue;
      for (const name of STORES) {
        results[index][name].cpu.push((after[name] - before[name]) / 1000 / count);
      }
    }
  }
  console.log(`year, load average after: ${Deno.loadavg()[0].toFixed(1)}`);
  for (const [index, { name }] of YEAR_READS.entries()) print(name, results[index]);
  for (const name of STORES) {
    clients[name].close();
    console.log(
      `year, the ${name} store: ${megabytes(rss(servers[name].process.pid))} MB of memory after ` +
        "all reads",
    );
  }
}

const none = (): Measured => ({ ms: [], cpu: [], bytes: 0 });

const cpuOf = (servers: Record<StoreName, Server>): Record<StoreName, number> => ({
  empty: cpuTime(servers.empty.process.pid),
  year: cpuTime(servers.year.process.pid),
});

/** Prints a row of a table: p50, p99 and CPU time in both stores, and the ratios. */
function print(name: string, { empty, year }: Record<StoreName, Measured>): void {
  const quantile = (values: number[], q: number) =>
    values.toSorted((a, b) => a - b)[Math.floor(q * (values.length - 1))];
  const pair = (of: (measured: Measured) => number) => {
    const [a, b] = [of(empty), of(year)];
    return { text: `${a.toFixed(2)}, ${b.toFixed(2)}`, ratio: b / a };
  };
  const p50 = pair(({ ms }) => quantile(ms, 0.5));
  const p99 = pair(({ ms }) => quantile(ms, 0.99));
  const cpu = pair((measured) => median(measured.cpu));
  const verdict = p50.ratio <= TARGET ? "" : "missed";
  console.log(
    `| ${name} | ${p50.text} | ${p50.ratio.toFixed(2)} | ${p99.text} | ${
      p99.ratio.toFixed(2)
    } | ${cpu.text} | ${cpu.ratio.toFixed(2)} | ${empty.bytes}, ${year.bytes} | ${verdict} |`,
  );
}

if (import.meta.main) await run();
