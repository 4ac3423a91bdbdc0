/**
 * 5,000 open streams of chains in one process, on a store that is reached over a network, while another
 * process appends events.
 *
 * @module
 */
import { inTime } from "../lib/base/in_time.ts";
import { heads } from "../lib/features/chain/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { serveConnect } from "../lib/platform/kv/testing/connect_server.ts";
import { createSite, type Site } from "../tests/site.ts";
import { atMost, integer, type Table } from "./table.ts";

const STREAMS = 5_000;
const EVENTS = 200;
const DELAY_MS = 50;
const TARGET_MS = 3_000;
const MAX_CONNECTIONS = 50;
/** The longest wait for one response, event or end of a stream. */
const WAIT_MS = 60_000;

export async function run(): Promise<Table[]> {
  await using server = serveConnect();
  Deno.env.set("DENO_KV_ACCESS_TOKEN", server.token);
  const kv = await openKv(server.url);
  const calls = countCalls(kv);
  await using reader = await createSite({}, { kv });
  await using writer = await createSite({}, { kv: await openKv(server.url) });
  const hashes = Array.from({ length: STREAMS }, (_, i) => i.toString(16).padStart(64, "0"));
  await inTurns(hashes, 50, async (hash) => void await writer.services.chains.start(hash));

  const heard = new Map<string, PromiseWithResolvers<number>>();
  const readers: ReadableStreamDefaultReader[] = [];
  const following: Promise<void>[] = [];
  await inTurns(hashes, 50, async (hash) => {
    const stream = await open(reader, hash);
    readers.push(stream);
    following.push(follow(stream, () => heard.get(hash)?.resolve(performance.now())));
  });
  await new Promise((resolve) => setTimeout(resolve, 5_000)); // the first round reads all keys
  server.network.delayMs = DELAY_MS;

  const baseline = await pollAll(kv, hashes);
  calls.most = 0;
  const before = calls.count;
  const quiet = 5_000;
  await new Promise((resolve) => setTimeout(resolve, quiet));
  const callsPerSecond = (calls.count - before) / (quiet / 1_000);

  const times: number[] = [];
  await inTurns(Array.from({ length: EVENTS }, (_, i) => i), 20, async (i) => {
    const hash = hashes[i * 25 % STREAMS];
    const arrived = Promise.withResolvers<number>();
    heard.set(hash, arrived);
    const append = writer.services.chains.append(hash, "record_verified");
    await soon(`the commit of event ${i}`, append);
    const appended = performance.now();
    times.push(await soon(`event ${i} on its stream`, arrived.promise) - appended);
  });
  await soon("the end of all streams", Promise.all(readers.map((stream) => stream.cancel())));
  await soon("the end of all readers", Promise.all(following));
  times.sort((a, b) => a - b);
  const worst = times.at(-1)!;
  return [{
    title:
      `\`streams\`: ${integer(STREAMS)} streams in one process, ${DELAY_MS} ms per operation, ` +
      `${integer(EVENTS)} events by another process, 20 at a time`,
    columns: ["", "result", "target"],
    rows: [
      ["an event arrives after, median", `${integer(times[times.length >> 1])} ms`, "–"],
      ["an event arrives after, worst", `${integer(worst)} ms`, atMost(TARGET_MS, worst)],
      ["calls of the store per second without events", integer(callsPerSecond), "–"],
      ["calls at the same time, most", integer(calls.most), atMost(MAX_CONNECTIONS, calls.most)],
      ["reading every head, four reads at a time", `${integer(baseline)} ms`, "–"],
      ["ratio of that to the worst event", (baseline / worst).toFixed(1), "–"],
    ],
  }];
}

async function open(site: Site, hash: string): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const url = site.services.surfaces.url("api", `/api/chain/${hash}`)!;
  const headers = { accept: "text/event-stream", host: new URL(url).host };
  const number = parseInt(hash, 16);
  const hostname = `10.0.${number >> 8}.${number & 255}`; // each from an address of its own
  const remoteAddr = { transport: "tcp", hostname, port: 4711 } as const;
  const completed = Promise.resolve();
  const response = site.handler(new Request(url, { headers }), { remoteAddr, completed });
  const { body } = await soon(`the response with stream ${number}`, response);
  return body!.getReader();
}

/** Waits for something that may never come. Throws if it takes too long. */
async function soon<Result>(what: string, work: Promise<Result>): Promise<Result> {
  const done = await inTime(work.then((result) => ({ result })), WAIT_MS);
  if (done === undefined) throw new Error(`Waited ${WAIT_MS / 1_000} s for ${what}.`);
  return done.result;
}

/** Calls back for each event of a stream. */
async function follow(
  stream: ReadableStreamDefaultReader<Uint8Array>,
  onEvent: () => void,
): Promise<void> {
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await stream.read();
    if (done) return;
    if (decoder.decode(value).includes("data:")) onEvent();
  }
}

/** Runs a step for each item, some at the same time. */
async function inTurns<Item>(
  items: readonly Item[],
  concurrent: number,
  step: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  await Promise.all(Array.from({ length: concurrent }, async () => {
    for (let item; (item = queue.pop()) !== undefined;) await step(item);
  }));
}

/** Reads the heads as often as a watch without change rows would. Returns the time of one round. */
async function pollAll(kv: Deno.Kv, hashes: readonly string[]): Promise<number> {
  const started = performance.now();
  const reads = Array.from(
    { length: hashes.length / 10 },
    (_, i) => hashes.slice(10 * i, 10 * i + 10),
  );
  await inTurns(reads, 4, async (some) => {
    await kv.getMany(some.map((hash) => heads.key(hash)));
  });
  return performance.now() - started;
}

/** Counts the calls of a store, and how many run at the same time. */
function countCalls(kv: Deno.Kv): { count: number; most: number } {
  const calls = { count: 0, most: 0 };
  let running = 0;
  const counted =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      calls.count++;
      calls.most = Math.max(calls.most, ++running);
      try {
        return await call(...args);
      } finally {
        running--;
      }
    };
  const { list } = kv;
  Object.assign(kv, {
    get: counted(kv.get.bind(kv)),
    getMany: counted(kv.getMany.bind(kv)),
    list(...args: Parameters<Deno.Kv["list"]>) {
      const iterator = list.apply(kv, args);
      return Object.assign(iterator, { next: counted(iterator.next.bind(iterator)) });
    },
  });
  return calls;
}
