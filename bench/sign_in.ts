/**
 * Measures session lookups per second in a store with 200,000 sessions, of the same 1,000 and of any of
 * them, and sign-in requests per second through the whole app compared with `lib/features/auth` alone. The compared measurements
 * alternate in one run. The stores are files.
 *
 * @module
 */
import { join } from "node:path";
import { createSession, getSession, sessionCookie } from "../lib/features/auth/sessions.ts";
import { createQueue, openKv } from "../lib/platform/kv/mod.ts";
import { createSite } from "../tests/site.ts";

export interface SessionsResult {
  lookups_per_second: { few: number; many: number };
  /** The cost of a lookup among many sessions relative to few. */
  cost: number;
  /** The upper limit of `cost`. */
  target: number;
  met: boolean;
}

export interface RequestsResult {
  requests_per_second: { app: number; auth_alone: number };
}

const FEW = 1_000;
const MANY = 200_000;
const TARGET = 1.1;
const LOOKUPS = 4_000;
/** As many sessions as fit into one commit of 819,200 bytes. */
const BATCH = 500;

/** Fewer requests than mails may be queued. */
const REQUESTS = 800;
/** Concurrent requests of a busy site. */
const IN_FLIGHT = 16;

/** Runs both benchmarks and prints the results. Takes about 40 seconds. */
export async function run(): Promise<[SessionsResult, RequestsResult]> {
  const folder = await Deno.makeTempDir();
  try {
    return [await measureSessions(folder), await measureRequests(folder)];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function measureSessions(folder: string): Promise<SessionsResult> {
  using kv = await openKv(join(folder, "sessions.kv"));
  const ids = await fill(kv, MANY);
  const few = ids.slice(0, FEW);
  const rates = await bestRates(15, {
    few: () => lookUp(kv, few),
    many: () => lookUp(kv, ids),
  });
  const cost = rates.few / rates.many;
  const met = cost <= TARGET;
  console.log(`Session lookups per second, in one store with ${MANY} sessions`);
  console.log(`  of ${FEW} of them         ${Math.round(rates.few)}`);
  console.log(
    `  of any of ${MANY}       ${Math.round(rates.many)}  ${cost.toFixed(2)} times the cost, ` +
      `at most ${TARGET}: ${met ? "met" : "missed"}`,
  );
  return { lookups_per_second: rates, cost, target: TARGET, met };
}

async function measureRequests(folder: string): Promise<RequestsResult> {
  const kv = await openKv(join(folder, "sign_in.kv"));
  await using site = await createSite({ SIGN_IN_CLIENT_LIMIT: "0" }, { kv });
  const { auth, mailer } = site.services;
  const enqueue = createQueue(); // as the app does, because every token increments the same id
  const rates = await bestRates(5, {
    app: () =>
      sendRequests(async (email) => {
        const response = await site.request("site", "/api/auth/request", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ email }),
        });
        return (await response.json()).success;
      }, mailer.flush), // the mails are prepared after the responses
    auth_alone: () =>
      sendRequests(async (email) =>
        (await enqueue(() => auth.issueLink({ email, surface: "site" }))).ok
      ),
  });
  console.log("Sign-in requests per second, new addresses");
  console.log(`  lib/features/auth alone            ${Math.round(rates.auth_alone)}`);
  const share = (rates.app / rates.auth_alone).toFixed(2);
  console.log(`  the app, with the outbox  ${Math.round(rates.app)}  ${share} of that`);
  return { requests_per_second: rates };
}

/** Returns the best rate of each way, because other load on the machine can only slow it down. */
async function bestRates<Way extends string>(
  rounds: number,
  ways: Record<Way, () => Promise<number>>,
): Promise<Record<Way, number>> {
  const best = {} as Record<Way, number>;
  for (let round = 0; round <= rounds; round++) {
    for (const way in ways) {
      const rate = await ways[way]();
      best[way] = round < 2 ? rate : Math.max(best[way], rate); // round 0 warms up
    }
  }
  return best;
}

/** Stores sessions and returns their ids. */
async function fill(kv: Deno.Kv, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const commit = kv.atomic();
    for (let i = 0; i < BATCH; i++) {
      const user_id = ids.length + 1;
      const user = { user_id, email: `person-${user_id}@example.org` };
      ids.push(createSession(commit, user, "site", Date.now()));
    }
    await commit.commit();
  }
  return ids;
}

/** Looks up random sessions one after another, and returns the rate. */
async function lookUp(kv: Deno.Kv, ids: string[]): Promise<number> {
  const requests = Array.from({ length: LOOKUPS }, () => {
    const cookie = sessionCookie(ids[Math.floor(Math.random() * ids.length)]).split(";")[0];
    return new Request("http://site.localhost/account", { headers: { cookie } });
  });
  const start = performance.now();
  for (const request of requests) {
    const session = await getSession(kv, Date.now, request, "site");
    if (session === null) throw new Error("A session is missing.");
  }
  return LOOKUPS / (performance.now() - start) * 1000;
}

/** Sends requests for new addresses concurrently, and returns the rate. */
async function sendRequests(
  send: (email: string) => Promise<boolean>,
  flush = () => Promise.resolve(),
): Promise<number> {
  const run = crypto.randomUUID();
  let next = 0;
  const worker = async () => {
    while (next < REQUESTS) {
      if (!await send(`${run}-${next++}@example.org`)) throw new Error("A request was rejected.");
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  await flush();
  return REQUESTS / (performance.now() - start) * 1000;
}

if (import.meta.main) await run();
