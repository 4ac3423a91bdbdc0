/**
 * Compares the time to read pages of a chain of 10,000 events and of one of 100, through the whole
 * app: the newest page, pages in the middle and the oldest, in alternating rounds. Then compares a
 * chain page with a JSON route that sends the same bytes, under load.
 *
 * @module
 */
import { join } from "node:path";
import { writeChain } from "../lib/features/chain/testing/fixtures.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { createSite, type Site } from "../tests/site.ts";
import { compare, type Compared, ratioOf } from "./compare.ts";

/** The chain and the page that the servers under load serve. */
export const CHAIN_HASH = "1000".padStart(64, "0");
export const CHAIN_PATH = `/api/chain/${CHAIN_HASH}`;

export interface ChainRow {
  events: number;
  pages_per_second: number;
  /** The cost of a page relative to the short chain. */
  cost?: number;
  /** The largest acceptable cost. */
  target?: number;
  met?: boolean;
}

const SHORT = 100;
const LONG = 10_000;
const TARGET = 1.3;
const ROUNDS = 9;
const REQUESTS = 600;

/** Runs the benchmark and prints the results. Takes about ten seconds. */
export async function run(): Promise<ChainRow[]> {
  const folder = await Deno.makeTempDir();
  const kv = await openKv(join(folder, "chains.kv"));
  const rates = new Map<number, number[]>([[SHORT, []], [LONG, []]]);
  {
    await using site = await createSite({}, { kv });
    const { publisher } = site.services.chains;
    for (const length of rates.keys()) {
      await writeChain(kv, { hash: hashOf(length), publisher, length });
    }
    for (const length of rates.keys()) await read(site, length); // warm up
    for (let round = 0; round < ROUNDS; round++) {
      for (const [length, measured] of rates) measured.push(await read(site, length));
    }
  }
  await compareWithRoute(join(folder, "served.kv"));
  await Deno.remove(folder, { recursive: true });
  // The best round of each counts, because other load on the machine can only make a round slower.
  const [base, rate] = [...rates.values()].map((measured) => Math.max(...measured));
  const cost = base / rate;
  console.log(`Pages of 20 events per second, through the app (best of ${ROUNDS} rounds)`);
  console.log(`  of a chain of ${SHORT} events     ${Math.round(base)}`);
  console.log(
    `  of a chain of ${LONG} events   ${Math.round(rate)}  ${cost.toFixed(2)} times the cost, ` +
      `at most ${TARGET}: ${cost <= TARGET ? "met" : "missed"}`,
  );
  return [
    { events: SHORT, pages_per_second: base },
    { events: LONG, pages_per_second: rate, cost, target: TARGET, met: cost <= TARGET },
  ];
}

const hashOf = (length: number) => String(length).padStart(64, "0");

/** Reads pages from the end, the middle and the beginning in turn, and returns pages per second. */
async function read(site: Site, length: number): Promise<number> {
  const queries = ["", `?before=${length / 2}`, "?before=20", `?after=${length / 2}`];
  const path = `/api/chain/${hashOf(length)}`;
  const start = performance.now();
  for (let i = 0; i < REQUESTS; i++) {
    const response = await site.request("api", path + queries[i % queries.length]);
    const { events } = await response.json();
    if (events.length !== 20) throw new Error(`A page has ${events.length} events.`);
  }
  return REQUESTS / (performance.now() - start) * 1000;
}

const SERVERS = ["bare", "route", "chain"] as const;
/** A chain page relative to the JSON route. */
const ROUTE_TARGET = 0.4;
const ROUTE_ROUNDS = 9;

async function compareWithRoute(store: string) {
  const { bare, route, chain } = await compare(
    SERVERS,
    import.meta.resolve("./chain_servers.ts"),
    { path: CHAIN_PATH, hostHeader: "api.localhost" },
    { rounds: ROUTE_ROUNDS, args: [store] },
  );
  const row = (title: string, one: Compared) =>
    console.log(
      `  ${title}  ${one.requests_per_second}, CPU ${one.cpu_us.toFixed(1)} µs each; ` +
        [route, bare].map((other) =>
          `${ratioOf(one, other).toFixed(2)} (CPU ${(other.cpu_us / one.cpu_us).toFixed(2)})`
        ).join(" of the route, ") + " of bare",
    );
  console.log(
    `Requests per second (best of ${ROUTE_ROUNDS} rounds), median CPU time, median of the ` +
      `rounds' ratios; the target is ${ROUTE_TARGET} of the route`,
  );
  row("a bare handler, the same bytes", bare);
  row("a JSON route, the same bytes  ", route);
  row("a chain page through the app  ", chain);
}

if (import.meta.main) await run();
