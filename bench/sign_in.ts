/**
 * Sign-in requests per second through the whole app with the outbox, and links issued per second by
 * `lib/auth` alone, alternating in one run, each for a new address. The store is a file.
 *
 * @module
 */
import { join } from "node:path";
import { openKv } from "../lib/kv/mod.ts";
import { createSite, type Site } from "../tests/site.ts";

export interface SignInRow {
  way: "app" | "auth alone";
  requests_per_second: number;
}

const ROUNDS = 5;
/** Fewer than may wait for their mail at the same time. */
const REQUESTS = 800;
/** Concurrent requests of a busy site. */
const IN_FLIGHT = 16;

/** Measures and prints; takes about ten seconds. */
export async function run(): Promise<SignInRow[]> {
  const folder = await Deno.makeTempDir();
  const kv = await openKv(join(folder, "sign_in.kv"));
  const rates: Record<SignInRow["way"], number[]> = { "app": [], "auth alone": [] };
  {
    await using site = await createSite({ SIGN_IN_CLIENT_LIMIT: "0" }, { kv });
    const ways = { "app": throughApp(site), "auth alone": throughAuth(site) };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const way of ["app", "auth alone"] as const) {
        const rate = await measure(ways[way], site.services.mailer.flush);
        if (round > 0) rates[way].push(rate); // the first round warms up
      }
    }
  }
  await Deno.remove(folder, { recursive: true });
  // The best of each, because other load on the machine can only slow it.
  const [app, alone] = [rates.app, rates["auth alone"]].map((of) => Math.max(...of));
  console.log(`Sign-in requests per second, new addresses (the best of ${ROUNDS} rounds)`);
  console.log(`  lib/auth alone            ${Math.round(alone)}`);
  console.log(
    `  the app, with the outbox  ${Math.round(app)}  ${(app / alone).toFixed(2)} of that`,
  );
  return [
    { way: "app", requests_per_second: app },
    { way: "auth alone", requests_per_second: alone },
  ];
}

type Send = (email: string) => Promise<boolean>;

function throughApp(site: Site): Send {
  return async (email) => {
    const response = await site.request("site", "/api/auth/request", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email }),
    });
    return (await response.json()).success;
  };
}

function throughAuth({ services }: Site): Send {
  return async (email) => (await services.auth.issueLink({ email, surface: "site" })).ok;
}

/** @param flush waits until every mail was prepared and sent, which happens after the responses */
async function measure(send: Send, flush: () => Promise<void>): Promise<number> {
  const run = crypto.randomUUID();
  let next = 0;
  const worker = async () => {
    while (next < REQUESTS) {
      if (!await send(`${run}-${next++}@example.org`)) throw new Error("A request was refused.");
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  await flush();
  return REQUESTS / (performance.now() - start) * 1000;
}

if (import.meta.main) await run();
