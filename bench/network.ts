/**
 * Requests of 150 people at once, on a store that is reached over a network.
 *
 * @module
 */
import { createSendLimits } from "../lib/features/codes/send_limits.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { serveConnect } from "../lib/platform/kv/testing/connect_server.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { createSite, type Site } from "../tests/site.ts";
import { atMost, integer, type Table } from "./table.ts";

const PEOPLE = 150;
const DELAY_MS = 50;
const TARGET_MS = 6_000;

/** The actions of each person. */
interface Journey {
  name: string;
  /** The rows that it creates, of which each person must have one. */
  rows: string;
  /** The number of mails to each person. */
  mails: number;
  /** Returns the function that does it for one person. It resolves to false if that failed. */
  begin(site: Site): (person: number) => Promise<boolean>;
}

const JOURNEYS: readonly Journey[] = [{
  name: "sign-in links",
  rows: "magic_tokens",
  mails: 1,
  begin: (site) => (person) =>
    post(site, "site", "/api/auth/request", person, { email: `person${person}@example.org` }),
}, {
  name: "registrations",
  rows: "contacts",
  mails: 1,
  begin: (site) => (person) =>
    post(site, "api", "/api/ir/register", person, {
      name: `Person ${person}`,
      organisation: "Example",
      email: `sender${person}@example.org`,
      enquiry_type: "Investor",
      message: "A message.",
      elapsed_ms: 8_000,
    }),
}, {
  name: "messages with codes, counted",
  rows: "code_limits",
  mails: 0,
  begin({ services }) {
    const limits = createSendLimits({
      ...services,
      countries: { sms: ["AU"], voice: [] },
      dailyBudget: 10_000,
      limitClients: true,
    });
    // Each number has first digits of its own, which are limited too.
    return (person) =>
      limits.reserve({ number: `+61${400_000_001 + person * 10_000}`, channel: "sms" });
  },
}];

/** How often commits failed, by the first parts of the keys that had changed. */
type Conflicts = Map<string, number>;

interface Counted {
  conflicts: Conflicts;
  /** The mails that were sent. */
  mails: number;
}

interface Result {
  ms: number;
  failed: number;
  /** How many of the rows and of the mails are missing. */
  missing: number;
  conflicts: Conflicts;
}

/**
 * Measures the time until all mails have been sent: with two sites that share a KV Connect server whose
 * every response takes 50 ms, and with one site on a file.
 */
export async function run(): Promise<Table[]> {
  const network = await onNetwork();
  const file = await onFile();
  return [{
    title: `\`network\`: ${PEOPLE} people at once, two processes on a store with ${DELAY_MS} ms ` +
      "per call, compared with one on a file",
    columns: ["journey", "network", "file", "ratio", "failed", "missing", "conflicts", "target"],
    rows: JOURNEYS.map(({ name }, i) => [
      name,
      `${integer(network[i].ms)} ms`,
      `${integer(file[i].ms)} ms`,
      (network[i].ms / file[i].ms).toFixed(1),
      `${network[i].failed}`,
      `${network[i].missing}`,
      [...network[i].conflicts].map(([prefix, n]) => `\`${prefix}\` ${n}`).join(", ") || "none",
      atMost(TARGET_MS, network[i].ms),
    ]),
  }];
}

async function onNetwork(): Promise<Result[]> {
  await using server = await serveConnect({ delayMs: DELAY_MS });
  Deno.env.set("DENO_KV_ACCESS_TOKEN", server.token);
  return await measure([await openKv(server.url), await openKv(server.url)]);
}

async function onFile(): Promise<Result[]> {
  const folder = await Deno.makeTempDir();
  const results = await measure([await openKv(`${folder}/store.kv`)]);
  await Deno.remove(folder, { recursive: true });
  return results;
}

/** Measures all journeys on sites with these connections to one store. */
async function measure(connections: readonly Deno.Kv[]): Promise<Result[]> {
  const counted: Counted = { conflicts: new Map(), mails: 0 };
  const sites: Site[] = [];
  for (const kv of connections) {
    countConflicts(kv, counted.conflicts);
    sites.push(await createSite({}, { kv, print: () => counted.mails++ }));
  }
  await warmUp(sites);
  const results: Result[] = [];
  for (const journey of JOURNEYS) results.push(await travel(sites, journey, counted));
  for (const site of sites) await site[Symbol.asyncDispose]();
  return results;
}

/** Does everything once on each site, which opens the signing key and compiles the code. */
async function warmUp(sites: readonly Site[]): Promise<void> {
  for (const { begin } of JOURNEYS) {
    for (const [i, site] of sites.entries()) await begin(site)(PEOPLE + i);
  }
  await flush(sites);
}

async function travel(
  sites: readonly Site[],
  { rows, mails, begin }: Journey,
  counted: Counted,
): Promise<Result> {
  counted.conflicts.clear();
  counted.mails = 0;
  const before = await countRows(sites[0], rows);
  const acts = sites.map(begin);
  const start = performance.now();
  const done = await Promise.all(
    Array.from({ length: PEOPLE }, (_, i) => acts[i % acts.length](i).catch(() => false)),
  );
  await flush(sites);
  const ms = performance.now() - start;
  const created = await countRows(sites[0], rows) - before;
  return {
    ms,
    failed: done.filter((ok) => !ok).length,
    missing: (1 + mails) * PEOPLE - created - counted.mails,
    conflicts: new Map(counted.conflicts),
  };
}

/** Sends a request from an address of the person's own. */
async function post(
  site: Site,
  surface: SurfaceName,
  path: string,
  person: number,
  body: unknown,
): Promise<boolean> {
  const url = site.services.surfaces.url(surface, path)!;
  const request = new Request(url, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", host: new URL(url).host },
  });
  const hostname = `10.0.${person >> 8}.${person & 255}`;
  const remoteAddr = { transport: "tcp", hostname, port: 4711 } as const;
  return (await site.handler(request, { remoteAddr, completed: Promise.resolve() })).ok;
}

const flush = (sites: readonly Site[]) =>
  Promise.all(sites.map(({ services }) => services.mailer.flush()));

async function countRows({ services: { kv } }: Site, prefix: string): Promise<number> {
  return (await Array.fromAsync(kv.list({ prefix: [prefix] }, { batchSize: 1_000 }))).length;
}

/** Counts the commits of a store that fail. */
function countConflicts(kv: Deno.Kv, conflicts: Conflicts): void {
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const operation = atomic();
    const { check, commit } = operation;
    const checks: Deno.AtomicCheck[] = [];
    return Object.assign(operation, {
      check(...added: Deno.AtomicCheck[]) {
        checks.push(...added);
        return check.apply(operation, added);
      },
      async commit() {
        const result = await commit.call(operation);
        if (result.ok || checks.length === 0) return result;
        const found = await kv.getMany(checks.map(({ key }) => key));
        for (const [i, { key: [prefix], versionstamp }] of found.entries()) {
          // The id of the commit itself is not in conflict with others.
          if (versionstamp === checks[i].versionstamp || prefix === "commits") continue;
          conflicts.set(String(prefix), (conflicts.get(String(prefix)) ?? 0) + 1);
        }
        return result;
      },
    });
  };
}
