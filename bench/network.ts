/**
 * Requests of 150 people at once, on a store that is reached over a network.
 *
 * @module
 */
import { createSendLimits } from "../lib/features/codes/send_limits.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { type Child, spawnChild } from "../lib/platform/kv/testing/spawn_child.ts";
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

/** The part of a journey that one process has done. */
interface Done {
  failed: number;
  /** The mails that were sent. */
  mails: number;
  conflicts: [prefix: string, count: number][];
}

interface Result {
  ms: number;
  failed: number;
  /** How many of the rows and of the mails are missing. */
  missing: number;
  conflicts: Conflicts;
}

/**
 * Measures the time until all mails have been sent: with two processes that share a KV Connect server whose
 * every response takes 50 ms, and with one on a file.
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
  return await measure(server.url, 2);
}

async function onFile(): Promise<Result[]> {
  const folder = await Deno.makeTempDir();
  const results = await measure(`${folder}/store.kv`, 1);
  await Deno.remove(folder, { recursive: true });
  return results;
}

/** Measures all journeys with a number of processes that share one store. */
async function measure(store: string, count: number): Promise<Result[]> {
  const children: Child[] = [];
  for (let i = 0; i < count; i++) {
    children.push(await spawnChild(import.meta.url, store, String(i), String(count)));
  }
  using kv = await openKv(store);
  const results: Result[] = [];
  for (const { rows, mails } of JOURNEYS) {
    const before = await countRows(kv, rows);
    const start = performance.now();
    await Promise.all(children.map((child) => child.go()));
    const done = await Promise.all(children.map((child) => child.next<Done>()));
    const ms = performance.now() - start;
    const created = await countRows(kv, rows) - before;
    const sum = (part: "failed" | "mails") => done.reduce((sum, each) => sum + each![part], 0);
    const conflicts: Conflicts = new Map();
    for (const [prefix, n] of done.flatMap((each) => each!.conflicts)) {
      conflicts.set(prefix, (conflicts.get(prefix) ?? 0) + n);
    }
    const missing = (1 + mails) * PEOPLE - created - sum("mails");
    results.push({ ms, failed: sum("failed"), missing, conflicts });
  }
  for (const child of children) await child[Symbol.asyncDispose]();
  return results;
}

/** Runs one of the processes: a site, which does its share of each journey when it can read a line. */
async function runProcess([store, index, count]: string[]): Promise<void> {
  console.log = console.error;
  const print = (value: unknown) =>
    Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(value)}\n`));
  const kv = await openKv(store);
  const conflicts: Conflicts = new Map();
  countConflicts(kv, conflicts);
  let mails = 0;
  await using site = await createSite({}, { kv, print: () => mails++ });
  const { mailer } = site.services;
  // Everything once, which opens the signing key and compiles the code.
  for (const { begin } of JOURNEYS) await begin(site)(PEOPLE + Number(index));
  await mailer.flush();
  print("ready");
  for (const { begin } of JOURNEYS) {
    const act = begin(site);
    await Deno.stdin.read(new Uint8Array(1));
    conflicts.clear();
    mails = 0;
    const people = Array.from({ length: PEOPLE }, (_, i) => i)
      .filter((i) => i % Number(count) === Number(index));
    const done = await Promise.all(people.map((person) => act(person).catch(() => false)));
    await mailer.flush();
    print({ failed: done.filter((ok) => !ok).length, mails, conflicts: [...conflicts] });
  }
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

async function countRows(kv: Deno.Kv, prefix: string): Promise<number> {
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

if (import.meta.main) await runProcess(Deno.args);
