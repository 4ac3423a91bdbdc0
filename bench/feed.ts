/**
 * Measures streams of chain events on loopback: the time from the commit of an event until it has
 * arrived, for events of the same process and of another one, and the memory of 5,000 open streams.
 * A bare `Deno.serve`, which keeps streams in a set and knows no chains, is the peer. Polling every
 * `POLL_INTERVAL`, which the streams replace, is the baseline.
 *
 * @module
 */
import { join } from "node:path";
import { writeChain } from "../lib/features/chain/testing/fixtures.ts";
import { createChains } from "../lib/features/chain/store/mod.ts";
import { CONFIG } from "../lib/features/contact/config.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { type FeedServer, now } from "./feed_server.ts";
import { TextLineStream } from "./lines.ts";
import { pinned } from "./load.ts";

export interface Latency {
  median_ms: number;
  p99_ms: number;
}

export interface FeedResult {
  own: Latency;
  other: Latency;
  all: Record<"app" | "bare", Latency>;
  /** KiB per open stream; null where it is unknown. */
  memory_kib: Record<"app" | "bare", number | null>;
}

const STREAMS = 5_000;
const CHAINS = 500;
const EVENTS = 200;
const TO_ALL = 20;

const hashOf = (chain: number) => String(chain).padStart(64, "0");

/** Runs the benchmark and prints the results. Takes about a minute. */
export async function run(): Promise<FeedResult> {
  const folder = await Deno.makeTempDir();
  const store = join(folder, "feed.kv");
  try {
    const [{ own, other, ...app }, bare] = [await measureApp(store), await measureBare()];
    const line = (what: string, { median_ms, p99_ms }: Latency) =>
      console.log(`  ${what.padEnd(52)} ${median_ms.toFixed(1)}  ${p99_ms.toFixed(1)}`);
    console.log(`Time from commit to stream in ms, median and 99% (${STREAMS} open streams)`);
    line(`events of the same process, ${STREAMS / CHAINS} streams each`, own);
    line(`events of another process, ${STREAMS / CHAINS} streams each`, other);
    line(`an event for all ${STREAMS} streams`, app.all);
    line("the same, a bare Deno.serve", bare.all);
    line("polling every 5 s, as calculated", {
      median_ms: CONFIG.POLL_INTERVAL / 2,
      p99_ms: CONFIG.POLL_INTERVAL * 0.99,
    });
    console.log(`  memory per stream: ${kib(app.memory)}, a bare Deno.serve ${kib(bare.memory)}`);
    return {
      own,
      other,
      all: { app: app.all, bare: bare.all },
      memory_kib: { app: app.memory, bare: bare.memory },
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const kib = (value: number | null) => value === null ? "unknown" : `${value.toFixed(1)} KiB`;

async function measureApp(store: string) {
  using kv = await openKv(store);
  await using server = await start("app", store);
  const { publisher } = server;
  for (let chain = 0; chain < CHAINS; chain++) {
    await writeChain(kv, { hash: hashOf(chain), publisher, length: 1 });
  }
  await warmUp(server);
  const before = server.memory();
  let clients = await openStreams(server, (i) => hashOf(i % CHAINS));
  const memory = perStream(before, server.memory());

  const own = await measure(clients, async (chain) => await server.append(hashOf(chain)));
  // The store needs the server's key, which the server's first append has stored.
  const chains = createChains({ kv, clock: Date.now, publisher, signingKey: undefined });
  const other = await measure(clients, async (chain) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_000));
    let commit = 0;
    await chains.append(hashOf(chain), "record_verified", () => void (commit = now()));
    return commit;
  }, 20);
  clients.forEach(({ close }) => close());
  clients = await openStreams(server, () => hashOf(0));
  const all = await measureAll(clients, server);
  clients.forEach(({ close }) => close());
  return { own, other, all, memory };
}

async function measureBare() {
  await using server = await start("bare");
  await warmUp(server);
  const before = server.memory();
  const clients = await openStreams(server, () => hashOf(0));
  const memory = perStream(before, server.memory());
  const all = await measureAll(clients, server);
  clients.forEach(({ close }) => close());
  return { all, memory };
}

const perStream = (before: number | null, after: number | null) =>
  before === null || after === null ? null : (after - before) / STREAMS;

/** Opens and closes a tenth of the streams, so that the code is compiled. */
async function warmUp(server: Server) {
  const clients = await openStreams(server, () => hashOf(1), STREAMS / 10);
  const arrived = clients.map(({ next }) => next());
  await server.append(hashOf(1));
  await Promise.all(arrived);
  clients.forEach(({ close }) => close());
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

/**
 * Appends events to one chain after another, and returns the time until each of its streams has got
 * them.
 */
async function measure(
  clients: Client[],
  append: (chain: number) => Promise<number>,
  concurrent = 1,
): Promise<Latency> {
  const latencies: number[] = [];
  let next = 0;
  const worker = async () => {
    for (let chain; (chain = next++) < EVENTS;) {
      const arrived = clients.filter((_, i) => i % CHAINS === chain).map(({ next }) => next());
      const commit = await append(chain);
      latencies.push(...(await Promise.all(arrived)).map((at) => at - commit));
    }
  };
  await Promise.all(Array.from({ length: concurrent }, worker));
  return latencyOf(latencies);
}

/** Appends events to one chain that all streams follow. */
async function measureAll(clients: Client[], server: Server): Promise<Latency> {
  const latencies: number[] = [];
  for (let i = 0; i < TO_ALL; i++) {
    const arrived = clients.map(({ next }) => next());
    const commit = await server.append(hashOf(0));
    for (const at of await Promise.all(arrived)) latencies.push(at - commit);
  }
  return latencyOf(latencies);
}

function latencyOf(latencies: number[]): Latency {
  latencies.sort((a, b) => a - b);
  const quantile = (q: number) => latencies[Math.floor(q * (latencies.length - 1))];
  return { median_ms: quantile(0.5), p99_ms: quantile(0.99) };
}

interface Server extends FeedServer, AsyncDisposable {
  /** Appends an event and returns the time of the commit. */
  append(hash: string): Promise<number>;
  /** Returns the resident memory in KiB. */
  memory(): number | null;
}

async function start(kind: "app" | "bare", store = ""): Promise<Server> {
  const script = new URL("./feed_server.ts", import.meta.url).href;
  const command = [Deno.execPath(), "run", "-A", "--frozen", script, kind, store];
  const [program, ...args] = pinned(0, command);
  const process = new Deno.Command(program, { args, stdin: "piped", stdout: "piped" }).spawn();
  const output = process.stdout.pipeThrough(new TextDecoderStream())
    .pipeThrough(new TextLineStream()).getReader();
  const input = process.stdin.getWriter();
  const read = async () => JSON.parse((await output.read()).value!);
  const served: FeedServer = await read();
  return {
    ...served,
    async append(hash) {
      await input.write(new TextEncoder().encode(`${hash}\n`));
      return await read();
    },
    memory() {
      if (Deno.build.os !== "linux") return null;
      const status = Deno.readTextFileSync(`/proc/${process.pid}/status`);
      return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)![1]);
    },
    async [Symbol.asyncDispose]() {
      process.kill();
      await process.status;
      await output.cancel();
      await input.close().catch(() => {});
    },
  };
}

interface Client {
  /** Resolves with the time at which the next event arrives. */
  next(): Promise<number>;
  close(): void;
}

/** Opens streams, and resolves when the beginning of each has arrived. */
async function openStreams(
  server: FeedServer,
  hash: (i: number) => string,
  count = STREAMS,
): Promise<Client[]> {
  const clients: Client[] = [];
  while (clients.length < count) {
    const batch = Array.from(
      { length: Math.min(100, count - clients.length) },
      (_, i) => openStream(server, hash(clients.length + i)),
    );
    clients.push(...await Promise.all(batch));
  }
  return clients;
}

async function openStream({ port, host }: FeedServer, hash: string): Promise<Client> {
  const connection = await Deno.connect({ port, hostname: "127.0.0.1" });
  const head =
    `GET /api/chain/${hash} HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n\r\n`;
  await connection.write(new TextEncoder().encode(head));
  const buffer = new Uint8Array(4_096);
  const decoder = new TextDecoder("latin1");
  const begun = Promise.withResolvers<void>();
  let arrival = Promise.withResolvers<number>();
  (async () => {
    let text = "";
    for (let count; (count = await connection.read(buffer).catch(() => null)) !== null;) {
      text += decoder.decode(buffer.subarray(0, count));
      if (text.includes("retry: ")) begun.resolve();
      if (text.includes("data: ")) arrival.resolve(now());
      text = text.slice(text.lastIndexOf("\n") + 1);
    }
  })().catch(begun.reject);
  await begun.promise;
  return {
    next() {
      arrival = Promise.withResolvers();
      return arrival.promise;
    },
    close: () => connection.close(),
  };
}

if (import.meta.main) await run();
