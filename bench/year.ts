/**
 * Simulates a year of use: fills a store, and compares the site on it with the site on a nearly empty
 * store, which has the same recent records: the store's size, the time to start, memory, and the
 * response time and CPU time of each read, in alternation.
 *
 * @module
 */
import { join } from "node:path";
import { verifyChain } from "../packages/proof/mod.ts";
import { createChains } from "../lib/features/chain/mod.ts";
import { readAll } from "../lib/features/chain/testing/fixtures.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { freePort } from "../tests/site.ts";
import { Client, requestBytes } from "./client.ts";
import { median } from "./compare.ts";
import { cpuTime, memoryOf, type ServerProcess, startServe } from "./processes.ts";
import { atMost, integer, type Table } from "./table.ts";
import { YEAR_READS, type YearRead, type YearRequest } from "./year_requests.ts";
import { type FilledStore, fillStore, type YearSizes } from "./year_store.ts";

/** The limits for a read: its median compared with the nearly empty store, and milliseconds of CPU time. */
const RATIO = 1.5;
const CPU_MS = 50;
/** Differences below this many milliseconds are noise. */
const NOISE_MS = 0.5;
const STORES = ["empty", "year"] as const;
type StoreName = typeof STORES[number];
type Both<Value> = Record<StoreName, Value>;
/** Two servers with the same port have the same publisher, which signed heads name. */
const HOSTS: Both<string> = { empty: "127.0.0.1", year: "127.0.0.2" };
const YEAR: YearSizes = { records: 100_000, events: 1_000_000, sessions: 50_000 };
/** The share of a year that is filled in by default. */
const SMALL = 0.05;
/** The port of servers whose stores are kept: the heads of chains are signed for it. */
const PORT = 8_111;
const STARTS = 5;
const VERIFIED = 50;
/** The number of requests for each read in a round, and the time after which no more are sent. */
const REQUESTS = 20;
const ROUND_MS = 1_500;

/** An open store, its size, and what filling it took. */
interface FilledSite {
  env: Record<string, string>;
  found: FilledStore;
  rows: number;
  bytes: number;
  seconds: number;
}

export async function run(
  { rounds, full, stores, reads = "" }: {
    rounds: number;
    full: boolean;
    stores?: string;
    reads?: string;
  },
): Promise<Table[]> {
  const folder = stores ?? await Deno.makeTempDir();
  const port = stores === undefined ? freePort() : PORT;
  const share = full ? 1 : SMALL;
  const sizes: YearSizes = {
    records: share * YEAR.records,
    events: share * YEAR.events,
    sessions: share * YEAR.sessions,
  };
  try {
    const empty = await prepare(join(folder, "empty"), HOSTS.empty, port, null);
    const year = await prepare(join(folder, "year"), HOSTS.year, port, sizes);
    const sites = { empty, year };
    await verifySample(year, port);
    const starts = await measureStarts(sites, port);
    await using emptyServer = await startServe(port, empty.env);
    await using yearServer = await startServe(port, year.env);
    const servers = { empty: emptyServer, year: yearServer };
    const chosen = YEAR_READS.filter(({ name }) => new RegExp(reads).test(name));
    const compared = await compareReads(sites, servers, { reads: chosen, rounds });
    const memory = { empty: memoryOf(emptyServer.pid), year: memoryOf(yearServer.pid) };
    return [storeTable(sites, starts, memory), compared];
  } finally {
    if (stores === undefined) await Deno.remove(folder, { recursive: true });
  }
}

/** Fills a store; with a year, or with recent records only. */
async function prepare(
  folder: string,
  host: string,
  port: number,
  year: YearSizes | null,
): Promise<FilledSite> {
  await Deno.mkdir(folder, { mode: 0o700, recursive: true });
  const env = {
    HOST: host,
    PORT: String(port),
    KV_PATH: join(folder, "store.kv"),
    APP_SECRET: "A".repeat(43),
    BANK_SANDBOX: "off",
    MCP_RATE_LIMIT: "0",
    TRUST_PROXY: "1",
  };
  const start = performance.now();
  const found = await readOrFill(`${folder}/found.json`, () => fillStore(env, year));
  const seconds = (performance.now() - start) / 1_000;
  const { size: bytes } = await Deno.stat(env.KV_PATH);
  return { env, found, rows: await countRows(env.KV_PATH), bytes, seconds };
}

/** Returns what is known about a store that was kept; otherwise fills it. */
async function readOrFill(
  path: string,
  fill: () => Promise<FilledStore>,
): Promise<FilledStore> {
  const kept = await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  });
  if (kept !== null) return JSON.parse(kept);
  const found = await fill();
  await Deno.writeTextFile(path, JSON.stringify(found));
  return found;
}

async function countRows(path: string): Promise<number> {
  using kv = await openKv(path);
  let rows = 0;
  for await (const _ of kv.list({ prefix: [] }, { batchSize: 500 })) rows++;
  return rows;
}

/** Verifies some chains with their heads and the publisher's keys, as a reader does. */
async function verifySample({ env, found }: FilledSite, port: number): Promise<void> {
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
}

interface Starts {
  /** From the command to the first line of output, which is printed when the site listens. */
  ms: number[];
  /** Bytes of memory 1 s later. */
  memory: number[];
}

/** Starts and stops the sites in turn. */
async function measureStarts(sites: Both<FilledSite>, port: number): Promise<Both<Starts>> {
  const starts: Both<Starts> = { empty: { ms: [], memory: [] }, year: { ms: [], memory: [] } };
  for (let i = 0; i < STARTS; i++) {
    for (const name of STORES) {
      const start = performance.now();
      await using server = await startServe(port, sites[name].env);
      using client = await Client.connect(port, HOSTS[name]);
      await client.send(requestBytes({ host: `localhost:${port}`, path: "/healthz" }));
      starts[name].ms.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      starts[name].memory.push(memoryOf(server.pid));
    }
  }
  return starts;
}

const megabytes = (bytes: number) => `${integer(bytes / 1e6)} MB`;

function storeTable(
  { empty, year }: Both<FilledSite>,
  starts: Both<Starts>,
  memory: Both<number>,
): Table {
  const row = (what: string, small: number, large: number, format: (value: number) => string) => [
    what,
    format(small),
    format(large),
    (large / small).toFixed(2),
  ];
  const medians = (what: keyof Starts) =>
    [median(starts.empty[what]), median(starts.year[what])] as const;
  return {
    title: "`year`: stores",
    columns: ["store", "nearly empty", "filled", "ratio"],
    rows: [
      row("rows", empty.rows, year.rows, integer),
      row("size of the file", empty.bytes, year.bytes, megabytes),
      row("filling it", empty.seconds, year.seconds, (seconds) => `${integer(seconds)} s`),
      row("start to first response", ...medians("ms"), (ms) => `${integer(ms)} ms`),
      row("memory 1 s after start", ...medians("memory"), megabytes),
      row("memory after all reads", memory.empty, memory.year, megabytes),
    ],
  };
}

/** The measurements of a read in one store. */
interface Measured {
  ms: number[];
  /** Milliseconds of CPU time per request, by round. */
  cpu: number[];
}

const none = (): Measured => ({ ms: [], cpu: [] });

async function compareReads(
  sites: Both<FilledSite>,
  servers: Both<ServerProcess>,
  { reads, rounds }: { reads: readonly YearRead[]; rounds: number },
): Promise<Table> {
  const { port } = servers.empty;
  const clients = {
    empty: await connect(port, HOSTS.empty),
    year: await connect(port, HOSTS.year),
  };
  const cpu = () => ({ empty: cpuTime(servers.empty.pid), year: cpuTime(servers.year.pid) });
  const results = reads.map(() => ({ empty: none(), year: none() }));
  let i = 0;
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { request }] of reads.entries()) {
      const before = cpu();
      const end = performance.now() + ROUND_MS;
      let count = 0;
      for (; count < REQUESTS && performance.now() < end; count++, i++) {
        // The store that comes first changes, because the second may find the processor's caches full.
        for (const name of i % 2 === 0 ? STORES : STORES.toReversed()) {
          const ms = await clients[name](request(sites[name].found, i)).catch((error) => {
            throw new Error(`${reads[index].name} (${name})`, { cause: error });
          });
          if (round > 0) results[index][name].ms.push(ms); // the first round warms up
        }
      }
      const after = cpu();
      if (round === 0) continue;
      for (const name of STORES) {
        results[index][name].cpu.push((after[name] - before[name]) / 1_000 / count);
      }
    }
  }
  return {
    title: "`year`: reads in the nearly empty and in the filled store, in milliseconds",
    columns: ["read", "median", "ratio", "99%", "CPU", "ratio", "targets"],
    rows: results.map((result, i) => readRow(reads[i].name, result)),
  };
}

function readRow(name: string, { empty, year }: Both<Measured>): string[] {
  const quantile = (values: number[], q: number) =>
    values.toSorted((a, b) => a - b)[Math.floor(q * (values.length - 1))];
  const pair = (of: (measured: Measured) => number) => [of(empty), of(year)] as const;
  const show = ([a, b]: readonly [number, number]) => `${a.toFixed(2)}, ${b.toFixed(2)}`;
  const p50 = pair(({ ms }) => median(ms));
  const cpu = pair((measured) => median(measured.cpu));
  const ratio = p50[1] / p50[0];
  return [
    name,
    show(p50),
    ratio.toFixed(2),
    show(pair(({ ms }) => quantile(ms, 0.99))),
    show(cpu),
    (cpu[1] / cpu[0]).toFixed(2),
    [
      atMost(RATIO, p50[1] - p50[0] < NOISE_MS ? Math.min(1, ratio) : ratio),
      atMost(CPU_MS, cpu[1]),
    ].join("; "),
  ];
}

/** Returns a function that sends a request and returns the milliseconds until the whole response. */
async function connect(port: number, hostname: string) {
  const client = await Client.connect(port, hostname);
  let sent = 0;
  return async ({ host, status, headers, ...request }: YearRequest): Promise<number> => {
    // Limits count requests per client.
    const address = `10.${[sent >> 16, sent >> 8, sent].map((n) => n & 255).join(".")}`;
    sent++;
    const bytes = requestBytes({
      ...request,
      host: `${host}:${port}`,
      headers: { "x-forwarded-for": address, ...headers },
    });
    const start = performance.now();
    await client.send(bytes, status);
    return performance.now() - start;
  };
}
