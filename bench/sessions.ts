/**
 * Session look-ups a second with 1,000 and with 200,000 sessions stored, in turns in one run, each
 * from the cookie of a request to who sends it.
 *
 * @module
 */
import { join } from "node:path";
import { createSession, getSession, sessionCookie } from "../lib/auth/sessions.ts";
import { openKv } from "../lib/kv/mod.ts";

/** What was measured with one number of sessions. */
export interface SessionsRow {
  sessions: number;
  lookups_per_second: number;
  /** How much more a look-up costs than with the fewest sessions. */
  cost?: number;
  /** The most that it may. */
  aim?: number;
  met?: boolean;
}

const FEW = 1_000;
const MANY = 200_000;
const AIM = 1.3;
const ROUNDS = 9;
const LOOKUPS = 4_000;
/** As many as fit into one commit's 819,200 bytes. */
const BATCH = 500;

interface Filled {
  kv: Deno.Kv;
  ids: string[];
  /** Look-ups a second, one figure a round. */
  rates: number[];
}

/** Fills two stores, measures and prints: about half a minute. */
export async function run(): Promise<SessionsRow[]> {
  const folder = await Deno.makeTempDir();
  const few = await fill(join(folder, "few.kv"), FEW);
  const many = await fill(join(folder, "many.kv"), MANY);
  try {
    for (const store of [few, many]) await lookUp(store); // once for warmth
    for (let round = 0; round < ROUNDS; round++) {
      for (const store of [few, many]) store.rates.push(await lookUp(store));
    }
  } finally {
    for (const { kv } of [few, many]) kv.close();
    await Deno.remove(folder, { recursive: true });
  }
  // The best of each: what else the machine does can only slow it.
  const [base, rate] = [few, many].map(({ rates }) => Math.max(...rates));
  const cost = base / rate;
  console.log(`Session look-ups a second (the best of ${ROUNDS} rounds)`);
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

/** Looks sessions up one after the other, each time another one. */
async function lookUp({ kv, ids }: Filled): Promise<number> {
  const requests = Array.from({ length: LOOKUPS }, () => {
    const cookie = sessionCookie(ids[Math.floor(Math.random() * ids.length)]).split(";")[0];
    return new Request("http://site.localhost/account", { headers: { cookie } });
  });
  const begin = performance.now();
  for (const request of requests) {
    const session = await getSession(kv, Date.now, request, "site");
    if (session === null) throw new Error("A session is missing.");
  }
  return LOOKUPS / (performance.now() - begin) * 1000;
}

if (import.meta.main) await run();
