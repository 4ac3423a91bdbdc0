/**
 * Measures the consoles' records with 10 and 100,000 of them in stores on disk: a page of the list,
 * the search, the counters of the charts, and an export.
 *
 * @module
 */
import { join } from "node:path";
import process from "node:process";
import { addContact, readRegistrations, readTotals } from "../lib/features/contact/mod.ts";
import { encodeHex } from "../lib/base/encoding.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { allRecords } from "../lib/features/records/list.ts";
import { searchRecords } from "../lib/features/records/search.ts";
import { newRow, recordKey } from "../lib/features/records/store.ts";
import { createSite, type Site } from "../tests/site.ts";
import { DAY_MS, MINUTE_MS } from "../lib/base/time.ts";

const SMALL = 10;
const LARGE = 100_000;
const PAGE_TARGET = 1.2;
const SEARCH_TARGET_MS = 1_000;
const ROUNDS = 15;
const LISTS_PER_ROUND = 200;
const PAGES_PER_ROUND = 40;
const SEARCHES = 7;
const PER_COMMIT = 150; // of at most 1,000 mutations and 800 KiB

const NAMES = ["Ada Lovelace", "Grace Hopper", "Zoë Ångström", "Barbara Liskov", "Radia Perlman"];
const TYPES = ["Investor", "Enterprise Partner", "Technical", "Other"] as const;
const MESSAGE = "We would like to learn how records are verified, and what certification costs. ";
const ORGANISATION = "commercial";
/** The time of the newest record. */
const START = Date.UTC(2026, 2, 1, 1, 30);
/** The day of the newest {@link SMALL} records. */
const LAST_DAY = "2026-03-01";

export interface RecordsResult {
  /** The CPU time of the page with 10 records among 100,000, divided by that among 10. */
  page: number;
  /** The same for the list without the rest of the page, which has no target. */
  list: number;
  /** Milliseconds for a search of all records, by what it finds. */
  search: Record<string, { median: number; best: number; cpu: number }>;
}

/** Runs the benchmark and prints the result. Takes about a minute. */
export async function run(): Promise<RecordsResult> {
  const folder = await Deno.makeTempDir();
  const [smallPath, largePath] = ["small", "large"].map((name) => join(folder, name, "records.kv"));
  const start = performance.now();
  await fill(smallPath, SMALL);
  await fill(largePath, LARGE);
  const seconds = (performance.now() - start) / 1000;
  console.log(`records: ${LARGE.toLocaleString("en-US")} stored in ${seconds.toFixed(0)} s`);
  try {
    await using small = await createSite({}, { kv: await openKv(smallPath) });
    await using large = await createSite({}, { kv: await openKv(largePath) });
    const { kv } = large.services;
    const page = await comparePages(small, large);
    console.log(`records, the target for the page: at most ${PAGE_TARGET}`);
    const list = await compare("the list alone", LISTS_PER_ROUND, (count) => {
      const { services } = count === SMALL ? small : large;
      return async () => {
        const { records } = await services.records.list(ORGANISATION, { limit: SMALL });
        if (records.length !== SMALL) throw new Error("The list is incomplete.");
      };
    });
    const search = await measureSearch(kv);
    await measureOthers(kv);
    return { page, list, search };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Stores records of both organisations, one every ten minutes; one in ten has a row of its own. */
async function fill(path: string, count: number): Promise<void> {
  using kv = await openKv(path); // closed afterwards, because SQLite then moves its log to the file
  let commit = kv.atomic();
  for (let i = 0; i < count; i++) {
    const hash = encodeHex(crypto.getRandomValues(new Uint8Array(32)));
    const now = START - i * 10 * MINUTE_MS;
    addContact(commit, hash, {
      record: {
        name: `${NAMES[i % NAMES.length]} ${i}`,
        organisation: `Northwind Certification ${i % 5_000}`,
        email: `person${i}@mail${i % 50}.example`,
        mobile: "+61412345678",
        enquiry_type: TYPES[i % TYPES.length],
        message: MESSAGE.repeat(1 + i % 8),
      },
      organisation: i >= SMALL && i % 10 === 0 ? "foundation" : ORGANISATION,
      site: "investor",
      salt: hash,
      now,
    });
    if (i % 10 === 1) {
      const registered_at = new Date(now).toISOString();
      commit.set(recordKey(hash), { ...newRow({ registered_at }), level: i % 5_000 === 1 ? 4 : 2 });
    }
    if (i % PER_COMMIT !== PER_COMMIT - 1) continue;
    await commit.commit();
    commit = kv.atomic();
  }
  await commit.commit();
}

/** Compares the page of the list as an administrator gets it, with the same 10 records. */
async function comparePages(small: Site, large: Site): Promise<number> {
  const requests = new Map<number, () => Promise<void>>();
  for (const [count, site] of [[SMALL, small], [LARGE, large]] as const) {
    const { auth } = site.services;
    const surface = "commercial-console";
    const { token } = await auth.issueLink({ email: "admin@example.org", surface });
    const { sessionId } = (await auth.verify(token, surface))!;
    const headers = { cookie: `app_session=${sessionId}` };
    requests.set(count, async () => {
      const path = `/console/records?from=${LAST_DAY}`;
      const html = await (await site.request(surface, path, { headers })).text();
      const links = html.match(/href="\/console\/records\/[\da-f]{64}"/g) ?? [];
      if (links.length !== SMALL) throw new Error(`The page has ${links.length} records.`);
    });
  }
  return await compare("the page", PAGES_PER_ROUND, (count) => requests.get(count)!);
}

/**
 * Measures a step in both stores, alternating, because other load on the machine changes. Returns the
 * ratio of the CPU times.
 */
async function compare(
  what: string,
  perRound: number,
  stepOf: (count: number) => () => Promise<void>,
): Promise<number> {
  const costs: Record<number, Cost[]> = { [SMALL]: [], [LARGE]: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const count of [SMALL, LARGE]) {
      const step = stepOf(count);
      const cost = await costOf(async () => {
        for (let i = 0; i < perRound; i++) await step();
      });
      if (round > 0) costs[count].push(cost); // the first round warms up
    }
  }
  const each = (count: number, what: keyof Cost) =>
    median(costs[count].map((cost) => cost[what])) / perRound;
  const ratio = each(LARGE, "cpu") / each(SMALL, "cpu");
  const describe = (count: number) =>
    `${each(count, "cpu").toFixed(2)} ms of CPU (${each(count, "wall").toFixed(2)} ms) among ` +
    count.toLocaleString("en-US");
  console.log(
    `records, ${what} with ${SMALL} records: ${describe(SMALL)}, ${describe(LARGE)}, ` +
      `ratio ${ratio.toFixed(2)}`,
  );
  return ratio;
}

/** Searches without the time limit of a request, so that each reads all records. */
async function measureSearch(kv: Deno.Kv): Promise<RecordsResult["search"]> {
  const texts: Record<string, string> = {
    "one match": "person77777@",
    "many matches": "zoe",
    "no match": "nobody at all",
  };
  const result: RecordsResult["search"] = {};
  for (const [what, text] of Object.entries(texts)) {
    const costs: Cost[] = [];
    for (let i = 0; i < SEARCHES; i++) {
      const options = { kv, elapsed: () => 0 };
      costs.push(await costOf(() => searchRecords(options, ORGANISATION, { text })));
    }
    const [wall, cpu] = [costs.map(({ wall }) => wall), costs.map(({ cpu }) => cpu)];
    result[what] = { median: median(wall), best: Math.min(...wall), cpu: median(cpu) };
    console.log(
      `records, search of ${LARGE.toLocaleString("en-US")}, ${what}: median ` +
        `${median(wall).toFixed(0)} ms, best ${Math.min(...wall).toFixed(0)} ms, ` +
        `${median(cpu).toFixed(0)} ms of CPU (target: at most ${SEARCH_TARGET_MS} ms)`,
    );
  }
  return result;
}

async function measureOthers(kv: Deno.Kv): Promise<void> {
  const day = (ms: number) => new Date(START - ms).toISOString().slice(0, 10);
  const period = { from: day(365 * DAY_MS), to: day(0) };
  const charts: Cost[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    charts.push(
      await costOf(async () => {
        await readTotals(kv, ORGANISATION);
        await readRegistrations(kv, ORGANISATION, period);
      }),
    );
  }
  const chart = median(charts.map(({ cpu }) => cpu));
  console.log(`records, the counters of the charts for a year: ${chart.toFixed(1)} ms of CPU`);
  let count = 0;
  const { cpu } = await costOf(async () => {
    for await (const _ of allRecords(kv, ORGANISATION, {})) count++;
  });
  const rate = Math.round(count / cpu * 1000).toLocaleString("en-US");
  console.log(`records, an export: ${rate} records per second of CPU`);
}

/** Milliseconds. The CPU time of the process does not depend on other load on the machine. */
interface Cost {
  wall: number;
  cpu: number;
}

async function costOf(step: () => Promise<unknown>): Promise<Cost> {
  const before = process.cpuUsage();
  const start = performance.now();
  await step();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1000 };
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
