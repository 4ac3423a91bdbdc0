/**
 * Session look-ups per second with 1,000 and with 200,000 stored sessions, alternating in one run.
 *
 * @module
 */
import { join } from "node:path";
import { createSession, getSession, sessionCookie } from "../lib/auth/sessions.ts";
import { openKv } from "../lib/kv/mod.ts";

/** The result for one number of sessions. */
export interface SessionsRow {
  sessions: number;
  lookups_per_second: number;
  /** The cost of a look-up relative to the smallest store. */
  cost?: number;
  /** The upper limit of `cost`. */
  aim?: number;
  met?: boolean;
}

const FEW = 1_000;
const MANY = 200_000;
const AIM = 1.3;
const ROUNDS = 9;
const LOOKUPS = 4_000;
/** As many sessions as fit into one commit of 819,200 bytes. */
const BATCH = 500;

interface Filled {
  kv: Deno.Kv;
  ids: string[];
  /** Look-ups per second in each round. */
  rates: number[];
}

/** Fills two stores, measures and prints; takes about half a minute. */
export async function run(): Promise<SessionsRow[]> {
  const folder = await Deno.makeTempDir();
  const few = await fill(join(folder, "few.kv"), FEW);
  const many = await fill(join(folder, "many.kv"), MANY);
  try {
    for (const store of [few, many]) await lookUp(store); // warms up
    for (let round = 0; round < ROUNDS; round++) {
      for (const store of [few, many]) store.rates.push(await lookUp(store));
    }
  } finally {
    for (const { kv } of [few, many]) kv.close();
    await Deno.remove(folder, { recursive: true });
  }
  // The best of each, because other load on the machine can only slow it.
  const [base, rate] = [few, many].map(({ rates }) => Math.max(...rates));
  const cost = base / rate;
  console.log(`Session look-ups per second (the best of ${ROUNDS} rounds)`);
  console.log(`  with ${FEW} sessions      ${Math.round(base)}`);
  console.log(
    `  with ${MANY} sessions    ${Math.round(rate)}  ${cost.toFixed(2)} times the cost, ` +
      `at most ${AIM}: ${cost <= AIM ? "met" : "missed"}`,
  );
  return [
    { sessions: FEW, lookups_per_second: base },
    { sessions: MANY, lookups_per_second: rate, cost, aim: AIM, met: cost <= AIM },
  ];
}

async function fill(path: string, count: number): Promise<Filled> {
  const kv = await openKv(path);
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
  return { kv, ids, rates: [] };
}

/** Looks up random sessions one after the other. */
async function lookUp({ kv, ids }: Filled): Promise<number> {
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

if (import.meta.main) await run();
